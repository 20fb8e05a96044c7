import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonHeaders } from '#contract'
import { createLogThrottle } from '#logs'
import { createBodyReader } from './body.ts'
import { limitSignals } from './limitedSignals.ts'
import { outcomes, toText } from './outcomes.ts'
import { receive } from './receive.ts'
import { type ReceiverSettings, verificationKeys } from './settings.ts'
import { connectSignaller } from './signaller.ts'

/** Receives callbacks in a server of your own. */
export interface CallbackReceiver {
  /** Answers one callback. It reads the body itself, so no parser may come before it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Closes the connection to Temporal. */
  close(): Promise<void>
}

export function createReceiver(settings: ReceiverSettings): CallbackReceiver {
  const { keys, uidSignatureScheme, profile, log } = settings
  const signaller = connectSignaller(settings)
  const throttled = createLogThrottle()
  const verification = { keys: verificationKeys(keys), uidSignatureScheme, standardWebhooks: profile.standardWebhooks }
  const parts = { verification, readBody: createBodyReader(), signal: limitSignals(signaller), clock: Date.now }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.readableDidRead) {
      log.error({ logId: 'callback-body-parsed' }, 'callback not received: its body was parsed before')
      respond(response, 500, {})
      return
    }
    const { outcome, reason, caseNo, shipmentUid, retryAfter } = await receive(parts, request.headers, request)
    const { level, logId, status } = outcomes[outcome]
    const write = (suppressed?: number) =>
      log[level]({ logId, outcome, caseNo, shipmentUid, reason, suppressed }, toText(logId, 'callback received'))
    // Outcomes that repeat throughout an outage or an attack.
    if (outcome === 'signalled' || outcome === 'noFlow') write()
    else throttled(`${outcome} ${reason}`, write)
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    respond(response, status, headers, status === 204 ? undefined : JSON.stringify({ outcome }))
  }

  return {
    handle: (request, response) =>
      handle(request, response).catch(err => {
        // A sender that breaks off gets no response, and repeats the callback.
        const isGone = request.destroyed && !request.complete
        if (!isGone) log.error({ logId: 'callback-failed', err }, 'callback not processed')
        response.destroy()
      }),
    close: () => signaller.close(),
  }
}

function respond(response: ServerResponse, status: number, headers: Record<string, string>, body?: string): void {
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...commonHeaders, ...type, ...headers }).end(body)
}
