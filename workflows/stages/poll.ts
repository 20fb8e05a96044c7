import { readShipments, readShipmentsOnce } from '../activities.ts'
import { type FlowProgress, type PlannedFlow, recordRejection } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { isActivityError, toErrorCode } from '../failures.ts'
import { applySnapshots } from './shipments.ts'

/** Milliseconds until the next poll when a needed one had no response. */
export const retryPollAfter = 60_000

/**
 * Reads the shipments and applies their states. False when the service did not respond.
 * @param urgent worth a minute of retries
 */
export async function pollShipments(flow: PlannedFlow, { urgent }: { urgent: boolean }): Promise<boolean> {
  const shipmentUids = flow.progress.shipments.map(({ shipmentUid }) => shipmentUid)
  for (const read of urgent ? [readShipmentsOnce, readShipments] : [readShipmentsOnce]) {
    try {
      const snapshots = await read({ shipmentUids })
      for (const sentence of applySnapshots(flow.progress, snapshots)) recordRejection(flow, sentence)
      return true
    } catch (error) {
      if (!isActivityError(error)) throw error
      recordRejection(flow, `the service could not be read: ${toErrorCode(error)}`)
    } finally {
      noteRecordedEvent(flow)
    }
  }
  return false
}

/** A poll triggered by an untrusted hint. It leaves the schedule alone, so forged hints cannot postpone polls. */
export async function pollOnHint(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  flow.pollRequested = false
  if (await pollShipments(flow, { urgent: false })) return
  progress.nextPoll = Math.min(progress.nextPoll ?? Number.POSITIVE_INFINITY, Date.now() + retryPollAfter)
}

/**
 * Intervals double from the initial to the maximum one. Until the first callback they begin early, and grow faster, so
 * that a flow without callbacks has few polls more. Null for a service that cannot be read.
 */
export function toNextPoll({ plan, pollCount, calledBack }: FlowProgress): number | null {
  if (!plan.profile.reads) return null
  const { initial, maximum, untilCallback } = plan.pollInterval
  const count = Math.min(pollCount, 30)
  const early = untilCallback === undefined || calledBack ? Number.POSITIVE_INFINITY : untilCallback * 5 ** count
  return Date.now() + Math.min(early, initial * 2 ** count, maximum)
}
