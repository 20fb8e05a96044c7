import type { ShipmentStatus } from '#flows'
import { type FlowContext, recordRejection } from '../context.ts'
import { applyCallback } from './shipments.ts'

/** Callbacks that are buffered until the booking's response. */
const maxBuffered = 20

/** Callbacks can arrive before the booking's response, when the flow does not know its shipments yet. */
export function receiveCallback(flow: FlowContext, status: ShipmentStatus): void {
  if (flow.booking !== 'booked' || flow.progress === undefined) {
    flow.bufferedCallbacks = [...flow.bufferedCallbacks, status].slice(-maxBuffered)
    return
  }
  const { changed, poll, rejection } = applyCallback(flow.progress, status)
  if (!changed) return
  if (rejection !== undefined) recordRejection(flow, rejection)
  if (poll) flow.pollRequested = true
  flow.needsEvaluation = true
}

export function applyBufferedCallbacks(flow: FlowContext): void {
  const buffered = flow.bufferedCallbacks
  flow.bufferedCallbacks = []
  for (const status of buffered) receiveCallback(flow, status)
}
