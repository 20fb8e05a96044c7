import { proxySinks } from '@temporalio/workflow'
import type { CallbackSinks, ShipmentStatus } from '#flows'
import { type FlowContext, type FlowProgress, recordRejection } from '../context.ts'
import { toNextPoll } from './poll.ts'
import { applyCallback } from './shipments.ts'

const { callbacks } = proxySinks<CallbackSinks>()

/** Callbacks that are buffered until the booking's response. */
const maxBuffered = 20

/** Callbacks can arrive before the booking's response, when the flow does not know its shipments yet. */
export function receiveCallback(flow: FlowContext, status: ShipmentStatus): void {
  if (flow.booking !== 'booked' || flow.progress === undefined) {
    flow.bufferedCallbacks = [...flow.bufferedCallbacks, status].slice(-maxBuffered)
    return
  }
  noteFirstCallback(flow.progress, status)
  const { changed, poll, rejection } = applyCallback(flow.progress, status)
  if (!changed) return
  if (rejection !== undefined) recordRejection(flow, rejection)
  if (poll) flow.pollRequested = true
  flow.needsEvaluation = true
}

/**
 * Ends the early polls of the flow, and tells the worker that the service calls back. The timer of an early poll stays:
 * replacing it would cost more events. A callback with the uid signature alone may be forged and changes no schedule.
 */
function noteFirstCallback(progress: FlowProgress, status: ShipmentStatus): void {
  const { plan, shipments, calledBack } = progress
  if (plan.pollInterval.untilCallback === undefined || calledBack || !plan.profile.standardWebhooks) return
  if (!shipments.some(({ shipmentUid }) => shipmentUid === status?.shipmentUid)) return
  progress.calledBack = true
  if (progress.stageEntered) progress.nextPoll = toNextPoll(progress)
  callbacks.arrived()
}

export function applyBufferedCallbacks(flow: FlowContext): void {
  const buffered = flow.bufferedCallbacks
  flow.bufferedCallbacks = []
  for (const status of buffered) receiveCallback(flow, status)
}
