import type { BookedShipment, CleanedShipment } from '#activities/interface'
import { isFinalState, readStateCode } from '#contract/terms'
import type { FlowPlan, PlannedBook, ShipmentStatus } from '#flows'
import type { BookingProgress, FailureText, LockerState, Outage, ShipmentProgress, Shipments } from '../progress.ts'
import type { Token } from '../tokens.ts'
import type { BookIn } from './roles.ts'
import { compareStates, type Reachability } from './states.ts'

type Plan = Pick<FlowPlan, 'reachable' | 'profile'>

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
export function applyCallback(
  plan: Plan,
  { shipments }: Pick<Shipments, 'shipments'>,
  status: ShipmentStatus,
): CallbackEffect {
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
function applyTo(held: ShipmentProgress, plan: Plan, status: ShipmentStatus): CallbackEffect {
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
export function applySnapshots(
  plan: Reachability,
  shipments: readonly ShipmentProgress[],
  snapshots: readonly Snapshot[],
): string[] {
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
export function noteCleaned(lockers: LockerState, cleaned: readonly CleanedShipment[]): CleanedShipment[] {
  return cleaned.map(each => {
    const held = lockers.shipments.find(({ shipmentUid }) => shipmentUid === each.shipmentUid)
    const hasEnded = each.left !== null && held !== undefined && isFinalState(held.stateCode)
    // A later undo of the same shipment has nothing to do then.
    if (hasEnded) return { ...each, stateCode: held.stateCode, left: null }
    setStateCode(lockers, each.shipmentUid, each.stateCode)
    return each
  })
}

/** Notes the state of a shipment for each of its roles. */
export function setStateCode(
  { shipments }: Pick<Shipments, 'shipments'>,
  shipmentUid: string,
  stateCode: string,
): void {
  for (const held of shipments) if (held.shipmentUid === shipmentUid) held.stateCode = stateCode
}

/** Notes a booking before its first attempt. */
export function startBooking(
  lockers: Shipments,
  { name, scope }: Pick<BookIn, 'name' | 'scope'>,
  startedAt: number,
  duplicatesUntil: number | null = null,
): void {
  const booking = { ...(scope !== undefined && { token: scope }), startedAt, booked: false, duplicatesUntil }
  lockers.bookings = { ...lockers.bookings, [name]: booking }
}

/** @throws Error before the step has begun */
export function changeBooking(lockers: Shipments, { name }: PlannedBook, change: Partial<BookingProgress>): void {
  lockers.bookings = { ...lockers.bookings, [name]: { ...bookingOf(lockers, { name }), ...change } }
}

/** @throws Error before the step has begun */
export function bookingOf(
  { bookings }: Pick<Shipments, 'bookings'>,
  { name }: Pick<PlannedBook, 'name'>,
): BookingProgress {
  const booking = bookings[name]
  if (booking === undefined) throw new Error(`The booking of step ${name} has not begun.`)
  return booking
}

export function noteBookingFailure(lockers: Shipments, failure: FailureText): void {
  lockers.bookingFailure = failure
}

export function addShipments(lockers: Shipments, added: readonly BookedShipment[]): void {
  lockers.shipments = [...lockers.shipments, ...added.map(shipment => ({ ...shipment }))]
}

/** Forgets the shipments of a step that the flow goes on without. */
export function dropShipments(lockers: Shipments, step: PlannedBook): void {
  const dropped = new Set(shipmentsOf(lockers, step))
  lockers.shipments = lockers.shipments.filter(shipment => !dropped.has(shipment))
}

/** The shipments of one book step. */
export function shipmentsOf({ shipments }: Pick<Shipments, 'shipments'>, { roles }: PlannedBook): ShipmentProgress[] {
  return shipments.filter(({ role }) => roles.some(({ name }) => name === role))
}

/** Notes that the step of a token has applied its policy for a locker out of service. */
export function noteOutage(lockers: Shipments, { id: token, step }: Token, asked: boolean): void {
  lockers.outages = [...otherOutages(lockers, token), { token, step, asked }]
}

/** True if the policy was to ask, and nobody has decided yet. */
export function isOutageAsked({ outages = [] }: Shipments, { id }: Token): boolean {
  return outages.some(({ token, asked }) => token === id && asked)
}

export function answerOutage(lockers: Shipments, { id }: Token): void {
  if (lockers.outages === undefined) return
  lockers.outages = lockers.outages.map(each => (each.token === id ? { ...each, asked: false } : each))
}

export function endOutage(lockers: Shipments, { id }: Token): void {
  const others = otherOutages(lockers, id)
  if (others.length > 0) lockers.outages = others
  else delete lockers.outages
}

function otherOutages({ outages = [] }: Shipments, id: string): Outage[] {
  return outages.filter(({ token }) => token !== id)
}

/** The flow goes on without the shipments of roles whose scope it has left. */
export function markUndone({ shipments }: LockerState, isOf: (role: string) => boolean): void {
  for (const held of shipments) if (isOf(held.role)) held.undone = true
}

/** Gives the roles of a round that is over names of their own. */
export function renameRoles(lockers: Shipments, rename: (role: string) => string): void {
  lockers.shipments = lockers.shipments.map(held => ({ ...held, role: rename(held.role) }))
}
