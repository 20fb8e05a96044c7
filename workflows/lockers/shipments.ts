import type { BookedShipment, CleanedShipment } from '#activities/interface'
import { isFinalState, readStateCode } from '#contract/terms'
import type { FlowPlan, PlannedBook, ShipmentStatus } from '#flows'
import type { BookingProgress, FailureText, FlowProgress, ShipmentProgress, Shipments } from '../progress.ts'
import { compareStates, type Reachability } from './states.ts'

type Snapshot = ShipmentStatus & { readonly lockerName: string | null }

export interface CallbackEffect {
  readonly changed: boolean
  /** True if only the service can tell: the callback is a mere hint, or impossible. */
  readonly poll: boolean
  /** The reason why the callback was rejected, for the log. */
  readonly rejection?: string
}

const ignored: CallbackEffect = { changed: false, poll: false }

/**
 * Applies a callback. It reports a state and not an event, so it is accepted when that state is reachable from the known
 * one over any number of steps. Duplicates and older states are ignored, and an impossible one leads to a poll.
 * Nothing in a callback can fail the flow.
 */
export function applyCallback({ plan, shipments }: FlowProgress, status: ShipmentStatus): CallbackEffect {
  if (typeof status?.stateCode !== 'string') return ignored
  const effects = shipments
    .filter(({ shipmentUid }) => shipmentUid === status.shipmentUid)
    .map(held => applyTo(held, plan, status))
  const rejection = effects.find(effect => effect.rejection !== undefined)?.rejection
  return {
    changed: effects.some(({ changed }) => changed),
    poll: effects.some(({ poll }) => poll),
    ...(rejection !== undefined && { rejection }),
  }
}

/** A flow that issues what it has stocked has two roles with one shipment, and both get its state. */
function applyTo(held: ShipmentProgress, plan: FlowPlan, status: ShipmentStatus): CallbackEffect {
  const comparison = compareStates(plan, held, status)
  if (comparison === 'same' || comparison === 'older') return ignored
  const { standardWebhooks, reads } = plan.profile
  // The uid signature covers neither state nor time, so such a callback is only a hint to poll.
  if (!standardWebhooks && reads) return { changed: true, poll: true }
  if (comparison === 'newer') {
    update(held, status)
    return { changed: true, poll: false }
  }
  const rejection = `${held.role}: a callback reported ${toName(status)}, which cannot follow ${toName(held)}`
  return { changed: true, poll: reads, rejection }
}

/** Applies what the service returned, impossible states included. Returns a sentence for each surprise. */
export function applySnapshots({ plan, shipments }: FlowProgress, snapshots: readonly Snapshot[]): string[] {
  return shipments.flatMap(held => {
    const snapshot = snapshots.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)
    if (snapshot === undefined) return [`${held.role}: the service does not know the shipment`]
    return applySnapshot(plan, held, snapshot)
  })
}

export function applySnapshot(plan: Reachability, held: ShipmentProgress, snapshot: Snapshot): string[] {
  const comparison = compareStates(plan, held, snapshot)
  const before = toName(held)
  if (comparison === 'newer' || comparison === 'impossible') update(held, snapshot)
  held.lockerName = snapshot.lockerName
  if (snapshot.lockerOutOfService) held.lockerOutOfService = true
  else delete held.lockerOutOfService
  return comparison === 'impossible' ? [`${held.role}: the service reports ${toName(snapshot)} after ${before}`] : []
}

function update(held: ShipmentProgress, { stateCode, stateStart, pupUid }: ShipmentStatus): void {
  held.stateCode = readStateCode(stateCode) ?? stateCode
  held.stateStart = stateStart
  if (typeof pupUid === 'string') held.pupUid = pupUid
}

/** Only known codes are logged: any other text comes from outside and could be personal. */
function toName({ stateCode }: Pick<ShipmentStatus, 'stateCode'>): string {
  return readStateCode(stateCode) ?? 'an unknown state'
}

/**
 * Notes the states after a cancellation. A callback can have reported the end of a shipment meanwhile: the service refuses to
 * cancel it again after a lost response. Returns each shipment as it is known now.
 */
export function noteCleaned(progress: FlowProgress, cleaned: readonly CleanedShipment[]): CleanedShipment[] {
  return cleaned.map(each => {
    const held = progress.shipments.find(({ shipmentUid }) => shipmentUid === each.shipmentUid)
    const hasEnded = each.left !== null && held !== undefined && isFinalState(held.stateCode)
    // A later undo of the same shipment has nothing to do then.
    if (hasEnded) return { ...each, stateCode: held.stateCode, left: null }
    setStateCode(progress, each.shipmentUid, each.stateCode)
    return each
  })
}

/** Notes the state of a shipment for each of its roles. */
export function setStateCode({ shipments }: FlowProgress, shipmentUid: string, stateCode: string): void {
  for (const held of shipments) if (held.shipmentUid === shipmentUid) held.stateCode = stateCode
}

/** Notes a booking before its first attempt. */
export function startBooking(
  progress: Shipments,
  name: string,
  startedAt: number,
  duplicatesUntil: number | null = null,
): void {
  progress.bookings = { ...progress.bookings, [name]: { startedAt, booked: false, duplicatesUntil } }
}

/** @throws Error before the step has begun */
export function changeBooking(progress: Shipments, { name }: PlannedBook, change: Partial<BookingProgress>): void {
  progress.bookings = { ...progress.bookings, [name]: { ...bookingOf(progress, { name }), ...change } }
}

/** @throws Error before the step has begun */
export function bookingOf(
  { bookings }: Pick<FlowProgress, 'bookings'>,
  { name }: Pick<PlannedBook, 'name'>,
): BookingProgress {
  const booking = bookings[name]
  if (booking === undefined) throw new Error(`The booking of step ${name} has not begun.`)
  return booking
}

export function noteBookingFailure(progress: Shipments, failure: FailureText): void {
  progress.bookingFailure = failure
}

export function addShipments(progress: Shipments, added: readonly BookedShipment[]): void {
  progress.shipments = [...progress.shipments, ...added.map(shipment => ({ ...shipment }))]
}

/** Forgets the shipments of a step that the flow goes on without. */
export function dropShipments(progress: Shipments, step: PlannedBook): void {
  const dropped = new Set(shipmentsOf(progress, step))
  progress.shipments = progress.shipments.filter(shipment => !dropped.has(shipment))
}

/** The shipments of one book step. */
export function shipmentsOf(
  { shipments }: Pick<FlowProgress, 'shipments'>,
  { roles }: PlannedBook,
): ShipmentProgress[] {
  return shipments.filter(({ role }) => roles.some(({ name }) => name === role))
}

/** Notes that the current step has applied its policy for a locker out of service. */
export function noteOutage(progress: Shipments & Pick<FlowProgress, 'step'>, asked: boolean): void {
  progress.outOfService = { step: progress.step, asked }
}

export function answerOutage(progress: Shipments): void {
  if (progress.outOfService !== undefined) progress.outOfService = { ...progress.outOfService, asked: false }
}

export function endOutage(progress: Shipments): void {
  delete progress.outOfService
}
