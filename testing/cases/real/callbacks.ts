import { findShipmentUid, normalizeMessage } from '#gateway/message'
import { forward, type RunningProxy, startProxy } from './proxy.ts'

/** The address that the service has for callbacks. Those about a lost shipment do not reach the gateway. */
export interface CallbackRelay extends RunningProxy {
  /** Uids of shipments whose callbacks are lost. */
  readonly lost: Set<string>
  /** The address of the gateway. Callbacks before it is known are refused, and the service sends them again. */
  target: string | undefined
}

/** Starts a proxy before the gateway. It passes the signed bytes on as they are, and accepts those that it loses. */
export async function startCallbackRelay(): Promise<CallbackRelay> {
  const lost = new Set<string>()
  const proxy = await startProxy(async (incoming, body, outgoing) => {
    const uid = findShipmentUid(normalizeMessage(body.toString('utf8')))
    if (uid !== undefined && lost.has(uid)) {
      outgoing.writeHead(200).end()
      return
    }
    if (relay.target === undefined) {
      outgoing.writeHead(503).end()
      return
    }
    const answer = await forward(incoming, body, relay.target)
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  const relay: CallbackRelay = { ...proxy, lost, target: undefined }
  return relay
}
