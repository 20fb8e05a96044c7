import { createHash } from 'node:crypto'
import type { ShipmentStatus } from '#flows'
import { createRateLimiter, type RateLimit } from '#platform/limits'
import { createSignalledMessages } from './signalledMessages.ts'
import type { Signaller, SignalResult } from './signaller.ts'

/** Signals of a case, and of a shipment. A flow of three shipments gets about twelve callbacks in its life. */
export const signalLimit: RateLimit = { burst: 60, interval: 30_000 }

export type LimitedSignalResult =
  | SignalResult
  /** The message was signalled before. */
  | { readonly outcome: 'repeated' }

/** @param message identifies a verified callback: a repetition has the same text */
export type LimitedSignal = (message: string, caseNo: string, status: ShipmentStatus) => Promise<LimitedSignalResult>

/**
 * Signals each message once, and no more often than a flow's history can bear. A message is remembered
 * only after Temporal has accepted its signal, so a failed one can be retried.
 */
export function limitSignals({ signal }: Pick<Signaller, 'signal'>): LimitedSignal {
  const signalled = createSignalledMessages()
  const limiter = createRateLimiter(signalLimit)
  const inFlight = new Map<string, Promise<SignalResult>>()

  return async (message, caseNo, status) => {
    if (signalled.has(message)) return { outcome: 'repeated' }
    const earlier = inFlight.get(message)
    if (earlier !== undefined) {
      const result = await earlier
      return result.outcome === 'signalled' ? { outcome: 'repeated' } : result
    }
    // A uid signature proves the shipment, but not the case, so both are limited.
    const wait = limiter.take(toKey('shipment', status.shipmentUid), toKey('case', caseNo))
    if (wait > 0) return { outcome: 'limited', reason: 'too many signals', retryAfter: Math.ceil(wait / 1_000) }
    const sent = signal(caseNo, status)
    inFlight.set(message, sent)
    const result = await sent
    inFlight.delete(message)
    if (result.outcome === 'signalled') signalled.add(message)
    return result
  }
}

/** Hashed, because a shipment uid can be as long as a message. */
function toKey(kind: string, value: string): string {
  return createHash('sha256').update(`${kind} ${value}`).digest('base64')
}
