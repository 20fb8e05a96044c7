import type { Api } from '#api'
import type { ShipmentItem } from '#contract'
import { readStateCode } from '#contract/terms'
import { given } from '#workflows/flows'
import type { BookedShipment, BookOrder, PlannedRole } from './interface.ts'
import { findShipments, readShipment, seen } from './shipments.ts'

/** How far the service's clock may be behind ours, in milliseconds, when looking for what a flow booked. */
const clockSlack = 15 * 60_000

const linkFields = {
  swaps: 'swapsShipmentUid',
  follows: 'priorShipmentUid',
  circles: 'circularPriorShipmentUid',
} as const satisfies Record<string, keyof ShipmentItem>

/** The sets of shipments that a flow has booked so far, the oldest first: one set is one booking. */
export async function bookedSets(api: Api, order: BookOrder): Promise<BookedShipment[][]> {
  const items = await candidates(api, order)
  return items
    .filter(item => isFirst(order, item) && readStateCode(item.stateCode) !== 'Cancelled')
    .sort((one, other) => (one.created < other.created ? -1 : 1))
    .map(first => withRoles(order, [first, ...items.filter(item => item !== first)]))
    .filter(set => set !== undefined)
}

/**
 * Gives each role its shipment, by links and not by order: the first shipment has the first role, every other one is
 * known by the link to a shipment that has its role already. Undefined when a role stays without a shipment.
 */
export function withRoles(order: BookOrder, items: readonly ShipmentItem[]): BookedShipment[] | undefined {
  const uids = new Map<string, string>([[given, priorOf(order)]])
  const set: BookedShipment[] = []
  for (const role of order.roles) {
    const item = items.find(item => (role.link === null ? item === items[0] : isLinked(role, item, uids)))
    if (item === undefined) return undefined
    uids.set(role.name, item.shipmentUid)
    set.push({ role: role.name, ...seen(item) })
  }
  return set
}

function isLinked({ link }: PlannedRole, item: ShipmentItem, uids: ReadonlyMap<string, string>): boolean {
  return link !== null && item[linkFields[link.by]] === uids.get(link.to)
}

/** Whether a shipment is the first of a booking of this order: made for the same users, or the given one, issued. */
function isFirst(order: BookOrder, item: ShipmentItem): boolean {
  const [role] = order.roles
  if (role === undefined) return false
  if (role.given && item.shipmentUid !== priorOf(order)) return false
  if (role.link !== null && !isLinked(role, item, new Map([[given, priorOf(order)]]))) return false
  const { ToUserUid: to, FromUserUid: from } = order.request
  return (typeof to !== 'string' || item.toUserUid === to) && (typeof from !== 'string' || item.fromUserUid === from)
}

/** Everything that carries the case number and was touched since the flow began; the given shipment among it. */
async function candidates(api: Api, { caseNo, profile, request, since, ...order }: BookOrder): Promise<ShipmentItem[]> {
  const updatedSince = new Date(Date.parse(since) - clockSlack).toISOString()
  const search = profile.readsByCase
    ? { referenceCaseNo: caseNo, updatedSince }
    : { bookedPupUid: placeOf(request), updatedSince, sortBy: 'CreatedDesc' as const }
  const found = await findShipments(api, search)
  const prior = order.roles.some(role => role.given) ? await readShipment(api, priorOf({ request })) : undefined
  const others = found.filter(({ shipmentUid }) => shipmentUid !== prior?.shipmentUid)
  return [...(prior ? [prior] : []), ...others].filter(item => item.referenceCaseNo === caseNo)
}

/** A booking that may go to the overflow cannot be found by the pick up point that was asked for. */
function placeOf({ PupUid, AllowOverflowLockers }: Record<string, unknown>): string | null {
  return AllowOverflowLockers !== true && typeof PupUid === 'string' ? PupUid : null
}

function priorOf({ request }: Pick<BookOrder, 'request'>): string {
  return typeof request.PriorShipmentUid === 'string' ? request.PriorShipmentUid : ''
}
