import type { ShipmentItem } from '#contract'
import type { Api } from '#contract/client'
import { isFinalState, type Link, readStateCode } from '#contract/terms'
import { existingShipment, findRoles, type PlannedRole, type Role, toExistingShipmentUid } from '#flows'
import { nonRetryable, toFailedAttempt } from './failures.ts'
import type { BookedShipment, Booking, BookStepInput } from './interface.ts'
import { findShipments, readShipment, toSnapshot } from './shipments.ts'

/** Milliseconds by which the service's clock may be behind the worker's. */
const clockSlack = 15 * 60_000

/** An adopted booking can be of any age. */
const anyTime = '2000-01-01T00:00:00.000Z'

/** The field of a shipment that contains the uid of the prior one. */
export const linkFields = {
  swap: 'swapsShipmentUid',
  subsequent: 'priorShipmentUid',
  circular: 'circularPriorShipmentUid',
} as const satisfies Record<Link, keyof ShipmentItem>

/**
 * Finds the bookings of a flow, the oldest first.
 * Shipments of the case that make up no booking mean that the service behaves differently than expected: booking again
 * would not be safe, so this fails with BookingUncertain.
 */
export async function findBookings(api: Api, input: BookStepInput): Promise<Booking[]> {
  const items = await findCandidates(api, input)
  const active = items.filter(({ stateCode }) => readStateCode(stateCode) !== 'Cancelled')
  const bookings = active
    .filter(item => canBeFirst(input, item))
    .sort(byAge)
    .map(first => assignRoles(input, [first, ...items.filter(item => item !== first)]))
    .filter(booking => booking !== undefined)
  if (bookings.length === 0 && active.some(({ shipmentUid }) => shipmentUid !== toExistingShipmentUid(input))) {
    const message = 'Shipments with this case number exist, but they are not a booking of this flow.'
    // They can come from an earlier attempt, and be listed one after the other.
    throw nonRetryable('BookingUncertain', message, toFailedAttempt({}, false))
  }
  return bookings
}

/**
 * Finds the booking that a step adopts; creates none. Undefined if none fits and the step may book another. Fails with
 * NothingToAdopt if none fits otherwise, and if more than one does: only a person can tell which one it is.
 */
export async function adoptBooking(api: Api, input: BookStepInput): Promise<Booking[] | undefined> {
  const all = await findBookings(api, { ...input, since: anyTime })
  const active = all.filter(booking => booking.some(isActive))
  const fitting = active.length === 0 && input.adopt !== 'active' ? all : active
  if (fitting.length === 1) return fitting
  if (fitting.length === 0 && input.adopt === 'anyOrNew') return undefined
  const reason =
    fitting.length === 0
      ? 'No active booking of this flow has the case number.'
      : 'Several bookings have the case number.'
  throw nonRetryable('NothingToAdopt', reason)
}

/**
 * Assigns a shipment to each role, by links and not by order: the first item has the first role, and the others are
 * linked to a shipment whose role is known already. Undefined when a role has no shipment.
 */
export function assignRoles(input: BookStepInput, items: readonly ShipmentItem[]): Booking | undefined {
  const uids = new Map([[existingShipment, toExistingShipmentUid(input)]])
  const booking: Booking = []
  for (const role of input.roles) {
    const item = role === input.roles[0] ? items[0] : items.find(item => isLinked(role, item, uids))
    if (item === undefined) return undefined
    uids.set(role.name, item.shipmentUid)
    booking.push({ role: role.name, ...toSnapshot(item) })
  }
  return booking
}

/** Puts the item that can have the first role in front: services may return them in any order. */
export function firstRoleFirst(input: BookStepInput, items: readonly ShipmentItem[]): ShipmentItem[] {
  const first = items.find(item => canBeFirst(input, item))
  return first === undefined ? [...items] : [first, ...items.filter(item => item !== first)]
}

function isLinked({ link }: Pick<PlannedRole, 'link'>, item: ShipmentItem, uids: ReadonlyMap<string, string>): boolean {
  return link !== null && item[linkFields[link.by]] === uids.get(link.to)
}

/** The link of the first role. An existing shipment that a part of the request may name is known only now. */
function linkOfFirst({ operation }: BookStepInput, existing: string): PlannedRole['link'] {
  const [role] = Object.values<Role>(findRoles(operation) ?? {})
  return existing === '' ? null : (role?.link ?? null)
}

/** The first shipment of a booking has the requested users, and no link except the requested one. */
function canBeFirst(input: BookStepInput, item: ShipmentItem): boolean {
  const [role] = input.roles
  if (role === undefined) return false
  const existing = toExistingShipmentUid(input)
  const { ToUserUid: to, FromUserUid: from } = input.request
  if (role.existing) return item.shipmentUid === existing && item.toUserUid === to
  const hasUsers =
    (typeof to !== 'string' || item.toUserUid === to) && (typeof from !== 'string' || item.fromUserUid === from)
  const hasLink = Object.values(linkFields).some(field => item[field] !== null)
  const link = linkOfFirst(input, existing)
  return hasUsers && (link === null ? !hasLink : isLinked({ link }, item, new Map([[existingShipment, existing]])))
}

/** The shipments with the case number since the start of the step, and the existing shipment, however old. */
async function findCandidates(api: Api, input: BookStepInput): Promise<ShipmentItem[]> {
  const { caseNo, profile, request, roles, others = [] } = input
  const since = new Date(Date.parse(input.since) - clockSlack).toISOString()
  const search = profile.readsByCase
    ? { referenceCaseNo: caseNo, updatedSince: since }
    : { bookedPupUid: toPickUpPoint(request), updatedSince: since, sortBy: 'CreatedDesc' as const }
  const found = await findShipments(api, search)
  const prior = roles.some(role => role.existing) ? await readShipment(api, toExistingShipmentUid(input)) : undefined
  const created = found.filter(
    ({ shipmentUid, created }) =>
      shipmentUid !== prior?.shipmentUid && !others.includes(shipmentUid) && `${created}Z` >= since,
  )
  return [...(prior ? [prior] : []), ...created].filter(item => item.referenceCaseNo === caseNo)
}

/** Null when the booking may use overflow lockers, which belong to other pick up points. */
function toPickUpPoint({ PupUid, AllowOverflowLockers }: Record<string, unknown>): string | null {
  return AllowOverflowLockers !== true && typeof PupUid === 'string' ? PupUid : null
}

function isActive({ stateCode }: BookedShipment): boolean {
  return readStateCode(stateCode) !== undefined && !isFinalState(stateCode)
}

function byAge(one: ShipmentItem, other: ShipmentItem): number {
  return one.created.localeCompare(other.created) || one.shipmentUid.localeCompare(other.shipmentUid)
}
