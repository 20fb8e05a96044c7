import { readStateCode } from '#contract/terms'
import type { ShipmentStatus } from '#flows'
import { type FlowContext, recordRejection } from '../context.ts'
import type { FlowProgress } from '../progress.ts'
import { noteFirstCallback } from './polls.ts'
import { applyCallback } from './shipments.ts'

/** Callbacks that are buffered for each booking until its response. */
const maxBuffered = 20

/**
 * Applies a callback to the shipment of any booking. While a booking is under way, callbacks of unknown shipments are
 * kept: they can arrive before its response.
 */
export function receiveCallback(flow: FlowContext, status: ShipmentStatus): void {
  const { progress } = flow
  const isKnown = progress?.lockers.shipments.some(({ shipmentUid }) => shipmentUid === status?.shipmentUid)
  if (progress === undefined || (!isKnown && isBooking(flow))) {
    const max = maxBuffered * Math.max(1, bookingsOf(flow))
    flow.bufferedCallbacks = limit([...flow.bufferedCallbacks, status], max)
    return
  }
  // Clients in many languages send null for an unset field.
  if (typeof status?.lockerOutOfService === 'boolean') {
    receiveOutage(flow, progress, status)
    return
  }
  noteFirstCallback(flow.runtime, progress, status)
  const { changed, poll, rejection } = applyCallback(progress.plan, progress.lockers, status)
  if (!changed) return
  if (rejection !== undefined) recordRejection(flow, rejection)
  if (poll) requestPoll(flow, status)
  flow.needsEvaluation = true
}

/** Drops the oldest callback that a newer one of its shipment supersedes, else the oldest: a flood must not displace early ones. */
function limit(callbacks: ShipmentStatus[], max: number): ShipmentStatus[] {
  if (callbacks.length <= max) return callbacks
  const newest = new Map(callbacks.map((status, index) => [status?.shipmentUid, index]))
  const followed = callbacks.findIndex((status, index) => newest.get(status?.shipmentUid) !== index)
  return callbacks.toSpliced(Math.max(0, followed), 1)
}

/** Remembers the newest claim about each shipment, so that its poll can tell whether the service shows it already. */
function requestPoll(flow: FlowContext, { shipmentUid, stateCode }: ShipmentStatus): void {
  flow.pollRequested = true
  const others = (flow.claims ?? []).filter(claim => claim.shipmentUid !== shipmentUid)
  const state = readStateCode(stateCode)
  flow.claims = state === undefined ? others : [...others, { shipmentUid, stateCode: state }]
}

function isBooking(flow: FlowContext): boolean {
  const { progress } = flow
  return progress === undefined || progress.ending !== undefined || bookingsOf(flow) > 0
}

/** The number of bookings under way. */
function bookingsOf({ progress, work }: FlowContext): number {
  return work.filter(({ step }) => progress?.plan.steps[step]?.kind === 'book').length
}

/**
 * The gateway has read that a locker went out of service or works again. The flow reads the service itself, since the message
 * may be older than its last poll. A service that cannot be read would be asked forever.
 */
function receiveOutage(flow: FlowContext, progress: FlowProgress, status: ShipmentStatus): void {
  const isNews = progress.lockers.shipments.some(
    ({ shipmentUid, lockerOutOfService = false }) =>
      shipmentUid === status.shipmentUid && lockerOutOfService !== status.lockerOutOfService,
  )
  if (!isNews || !progress.plan.profile.reads) return
  flow.pollRequested = true
  flow.needsEvaluation = true
}

export function applyBufferedCallbacks(flow: FlowContext): void {
  const buffered = flow.bufferedCallbacks
  flow.bufferedCallbacks = []
  for (const status of buffered) receiveCallback(flow, status)
}
