import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkWebhookSignature, type RecentCallback, webhookHeaders } from '#contract'
import type { Api } from '#contract/client'
import { type LocalAnswer, postLocally, readMessage } from './localReceiver.ts'

export interface ReceiveOptions {
  readonly api: Api
  readonly key: string
  /** Where each callback is posted; undefined posts nothing. */
  readonly to: string | undefined
  /** The address by which the service reaches this process; loopback by default. */
  readonly publicUrl: string | undefined
  readonly onCallback: (callback: RecentCallback, answer: LocalAnswer | undefined) => void
}

/** The path of the receiver, by which a later listener recognises an address that an earlier one has left behind. */
export const receiverPath = '/lockerflow-listen'

const ip = '127.0.0.1'
const maxBytes = 1_048_576

/**
 * Receives callbacks on loopback as the address of a tenant that has none, and registers it. The service gets the
 * answer of the local address, so it sends a callback again that the local address refuses. The returned function removes
 * the address.
 */
export async function receive(options: ReceiveOptions): Promise<() => Promise<void>> {
  const { api, key, to, publicUrl, onCallback } = options
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const fault =
      body === undefined ? 'too large' : checkWebhookSignature([key], request.headers, body, Date.now() / 1_000)
    const message = body === undefined ? undefined : readMessage(body)
    if (body === undefined || fault !== undefined || message === undefined) return void response.writeHead(401).end()
    const messageId = String(request.headers[webhookHeaders.id])
    const { shipmentUid, referenceCaseNo } = message
    const answer = to === undefined ? undefined : await postLocally(to, key, { messageId, shipmentUid, body })
    onCallback(
      {
        id: messageId,
        at: new Date().toISOString(),
        messageId,
        url: request.url ?? '',
        failures: 0,
        delivered: true,
        answer: '204',
        durationMs: 0,
        caseNo: referenceCaseNo ?? null,
        shipmentUid,
        body,
      },
      answer,
    )
    response.writeHead(answer === undefined || answer.accepted ? 204 : 502).end()
  }
  // A sender that breaks off gets no response, and retries the callback.
  const server = createServer((request, response) => handle(request, response).catch(() => void response.destroy()))
  server.listen(0, ip)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  try {
    const url = `${publicUrl?.replace(/\/+$/, '') ?? `http://${ip}:${port}`}${receiverPath}`
    await api.call('ConfigureCallback', { url, authType: 'HMAC', authKey: key, resetKey: true })
  } catch (error) {
    await close()
    throw error
  }
  return async () => {
    await api.call('ConfigureCallback', { url: null, authType: 'HMAC' })
    await close()
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > maxBytes) return undefined
  }
  return body
}
