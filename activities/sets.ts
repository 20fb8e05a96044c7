import type { Api } from '#api'
import type { ShipmentItem } from '#contract'
import { readStateCode } from '#contract/terms'
import { given } from '#workflows/flows'
import { finalFailure } from './failures.ts'
import type { BookedSet, BookOrder, PlannedRole } from './interface.ts'
import { findShipments, readShipment, seen } from './shipments.ts'

/** How far the service's clock may be behind ours, in milliseconds, when looking for what a flow booked. */
const clockSlack = 15 * 60_000

const linkFields = {
  swaps: 'swapsShipmentUid',
  follows: 'priorShipmentUid',
  circles: 'circularPriorShipmentUid',
} as const satisfies Record<string, keyof ShipmentItem>

/**
 * The bookings that a flow has made so far, the oldest first.
 * Shipments of the case that make up no booking mean that we do not understand this service well enough to book again.
 */
export async function bookedSets(api: Api, order: BookOrder): Promise<BookedSet[]> {
  const items = await candidates(api, order)
  const active = items.filter(({ stateCode }) => readStateCode(stateCode) !== 'Cancelled')
  const sets = active
    .filter(item => isFirst(order, item))
    .sort(byAge)
    .map(first => withRoles(order, [first, ...items.filter(item => item !== first)]))
    .filter(set => set !== undefined)
  if (sets.length === 0 && active.some(({ shipmentUid }) => shipmentUid !== priorOf(order))) {
    throw finalFailure(
      'BookingUncertain',
      'There are shipments with this case number that are not a booking of this flow.',
    )
  }
  return sets
}

/**
 * Gives each role its shipment, by links and not by order: the first item has the first role, every other one is
 * known by the link to a shipment that has its role already. Undefined when a role stays without a shipment.
 */
export function withRoles(order: BookOrder, items: readonly ShipmentItem[]): BookedSet | undefined {
  const uids = new Map([[given, priorOf(order)]])
  const set: BookedSet = []
  for (const role of order.roles) {
    const item = role === order.roles[0] ? items[0] : items.find(item => isLinked(role, item, uids))
    if (item === undefined) return undefined
    uids.set(role.name, item.shipmentUid)
    set.push({ role: role.name, ...seen(item) })
  }
  return set
}

/** The items with the one in front that can have the first role: services may answer them in any order. */
export function firstInFront(order: BookOrder, items: readonly ShipmentItem[]): ShipmentItem[] {
  const first = items.find(item => isFirst(order, item))
  return first === undefined ? [...items] : [first, ...items.filter(item => item !== first)]
}

function isLinked({ link }: PlannedRole, item: ShipmentItem, uids: ReadonlyMap<string, string>): boolean {
  return link !== null && item[linkFields[link.by]] === uids.get(link.to)
}

/** Whether a shipment can be the first of a booking: made for the same users, with no link but the one that is asked for. */
function isFirst(order: BookOrder, item: ShipmentItem): boolean {
  const [role] = order.roles
  if (role === undefined) return false
  if (role.given) return item.shipmentUid === priorOf(order) && item.toUserUid === order.request.ToUserUid
  const { ToUserUid: to, FromUserUid: from } = order.request
  const forUsers =
    (typeof to !== 'string' || item.toUserUid === to) && (typeof from !== 'string' || item.fromUserUid === from)
  const linked = Object.values(linkFields).some(field => item[field] !== null)
  return forUsers && (role.link === null ? !linked : isLinked(role, item, new Map([[given, priorOf(order)]])))
}

/** What carries the case number and was made since the flow began; the given shipment among it, however old. */
async function candidates(api: Api, order: BookOrder): Promise<ShipmentItem[]> {
  const { caseNo, profile, request, roles } = order
  const since = new Date(Date.parse(order.since) - clockSlack).toISOString()
  const search = profile.readsByCase
    ? { referenceCaseNo: caseNo, updatedSince: since }
    : { bookedPupUid: placeOf(request), updatedSince: since, sortBy: 'CreatedDesc' as const }
  const found = await findShipments(api, search)
  const prior = roles.some(role => role.given) ? await readShipment(api, priorOf(order)) : undefined
  const made = found.filter(item => item.shipmentUid !== prior?.shipmentUid && `${item.created}Z` >= since)
  return [...(prior ? [prior] : []), ...made].filter(item => item.referenceCaseNo === caseNo)
}

/** A booking that may go to the overflow cannot be found by the pick up point that was asked for. */
function placeOf({ PupUid, AllowOverflowLockers }: Record<string, unknown>): string | null {
  return AllowOverflowLockers !== true && typeof PupUid === 'string' ? PupUid : null
}

/** The shipment that the request names; empty when it names none. */
export function priorOf({ request }: Pick<BookOrder, 'request'>): string {
  const named = [request.PriorShipmentUid, request.SwapsShipmentUid].find(uid => typeof uid === 'string')
  return typeof named === 'string' ? named : ''
}

function byAge(one: ShipmentItem, other: ShipmentItem): number {
  return one.created.localeCompare(other.created) || one.shipmentUid.localeCompare(other.shipmentUid)
}
