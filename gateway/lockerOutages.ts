import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ShipmentItem } from '#contract'
import { type Api, ApiFault, ApiRefusal } from '#contract/client'
import { isCaseNo } from '#flows'
import { createLogThrottle } from '#platform/logs'
import type { LimitedSignal } from './limitedSignals.ts'
import type { Readiness } from './readiness.ts'
import type { Signaller } from './signaller.ts'

/**
 * Milliseconds between two readings. A service without the filter is asked again after the longest interval. `unavailable`: until
 * Temporal accepts signals.
 */
const intervals = { usual: 15_000, unsupported: 600_000, unavailable: 1_000 } as const

/** Shipments of a page that is never too large for the service. */
const pageSize = 10

type Affected = Pick<ShipmentItem, 'shipmentUid' | 'stateCode' | 'stateStart' | 'pupUid' | 'referenceCaseNo'>

export interface OutageParts {
  readonly api: Pick<Api, 'call'>
  readonly signal: LimitedSignal
  readonly signaller: Pick<Signaller, 'probe'>
  readonly readiness: Pick<Readiness, 'state' | 'temporalUnavailable'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly stopping: AbortSignal
  /** Milliseconds between two readings. */
  readonly interval?: number | undefined
}

/**
 * Reads which shipments are at lockers out of service, and signals each change to their flows: no callback reports it. A
 * flow whose signal is lost reads the change at its next poll. Returns when the gateway stops.
 */
export async function watchLockers(parts: OutageParts): Promise<void> {
  const { api, signal, signaller, readiness, log, stopping, interval } = parts
  const throttled = createLogThrottle()
  const notified = new Map<string, Affected>()
  /** A signal that fails counts for the limit of its case, and callbacks need the limit when Temporal is back. */
  const isUnavailable = () => !readiness.state.temporal
  /** An outage of a site has thousands of shipments, and a stop must not wait until all of their flows are notified. */
  const isPaused = () => stopping.aborted || isUnavailable()

  /** Returns whether the flow needs no other message. */
  async function notify(one: Affected, lockerOutOfService: boolean): Promise<boolean> {
    const { shipmentUid, stateCode, stateStart, pupUid, referenceCaseNo: caseNo } = one
    if (!isCaseNo(caseNo)) return true
    const status = { shipmentUid, stateCode, stateStart, pupUid, lockerOutOfService }
    const { outcome } = await signal(`${shipmentUid} ${lockerOutOfService} ${Date.now()}`, caseNo, status)
    if (outcome === 'signalled') log.info({ shipmentUid, caseNo, lockerOutOfService }, 'flow notified of its locker')
    // One flow alone may be unavailable.
    if (outcome === 'unavailable' && (await signaller.probe()) !== undefined) readiness.temporalUnavailable()
    return outcome !== 'unavailable' && outcome !== 'limited'
  }

  /** @throws Error without a response of the service */
  async function compare(): Promise<number> {
    if (isUnavailable()) return intervals.unavailable
    const affected = await readAffected(api, stopping)
    if (affected === undefined) return intervals.unsupported
    for (const [uid, one] of affected)
      if (!notified.has(uid) && !isPaused() && (await notify(one, true))) notified.set(uid, one)
    for (const [uid, one] of notified)
      if (!affected.has(uid) && !isPaused() && (await notify(one, false))) notified.delete(uid)
    return isUnavailable() ? intervals.unavailable : (interval ?? intervals.usual)
  }

  while (!stopping.aborted) {
    const pause = await compare().catch(error => {
      if (!(error instanceof ApiFault || error instanceof ApiRefusal)) throw error
      if (!stopping.aborted)
        throttled(error.code, suppressed => {
          const reason = `${error.code}: ${error.message}`
          log.warn({ logId: 'outages-not-read', reason, suppressed }, 'lockers out of service not read')
        })
      return interval ?? intervals.usual
    })
    await sleep(pause, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}

/** The shipments by uid; undefined for a service that does not know the filter and lists others too. */
async function readAffected(
  api: Pick<Api, 'call'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Affected> | undefined> {
  const affected = new Map<string, Affected>()
  for (let pageNo = 1; ; pageNo++) {
    const request = { activeShipments: true, outOfService: true, pageNo, pageSize }
    const { items, totalPages } = await api.call('GetShipments', request, { signal })
    if (items.some(({ outOfService }) => outOfService == null)) return undefined
    for (const { shipmentUid, stateCode, stateStart, pupUid, referenceCaseNo } of items)
      affected.set(shipmentUid, { shipmentUid, stateCode, stateStart, pupUid, referenceCaseNo })
    if (pageNo >= totalPages || items.length === 0) return affected
  }
}
