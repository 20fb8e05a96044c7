import type { ShipmentItem } from '#contract'
import { links } from '#contract/terms'
import {
  allSteps,
  type FlowDeclaration,
  findRoles,
  type Json,
  type Role,
  resolve,
  rolesOf,
  toExistingShipmentUid,
} from '#flows'
import { linkFields } from '../findBookings.ts'
import { inCasing } from '../plan/request.ts'

/** Placeholder: the service does not return sizes, and the reconstructed request is never sent. */
const size = { width: 1, height: 1, length: 1 }

/**
 * A request that could have created these shipments, for a case that Temporal has forgotten: users, pick up point, prior
 * shipment and the fields that steps depend on. The sweep recognizes the shipments by it.
 */
export function reconstructRequest(flow: FlowDeclaration, items: readonly ShipmentItem[]): Record<string, unknown> {
  const uids = new Set(items.map(({ shipmentUid }) => shipmentUid))
  const first = items.find(item => linkedUids(item).every(uid => !uids.has(uid))) ?? items[0]
  if (first === undefined) return {}
  const isExisting = Object.values(rolesOf(flow))[0]?.existing === true
  const [linked] = linkedUids(first)
  const prior = isExisting ? first.shipmentUid : linked
  return {
    PupUid: first.pupUid,
    ...(first.toUserUid !== null && { ToUserUid: first.toUserUid }),
    ...(first.fromUserUid !== null && { FromUserUid: first.fromUserUid }),
    ...(prior !== undefined && { PriorShipmentUid: prior }),
    ...(first.swapsShipmentUid !== null && { SwapsShipmentUid: first.swapsShipmentUid }),
    AllowLargerLockers: false,
    AllowOverflowLockers: false,
    Dimension: size,
    KeepBookedAfterPickUp: first.keepBookedAfterPickUp,
    IsReceiverDelayed: first.toUserUid === null,
  }
}

/** The uids of the shipments that existed before the flow, according to its input. */
export function findExisting({ steps }: FlowDeclaration, input: Readonly<Record<string, unknown>>): string[] {
  return allSteps(steps).flatMap(step => {
    const isExisting = 'book' in step && Object.values<Role>(findRoles(step.book) ?? {}).some(role => role.existing)
    if (!isExisting) return []
    const request = step.request === undefined ? input : resolve(step.request, { input: input as Json })
    return toExistingShipmentUid({ request: inCasing(step.book, request) })
  })
}

/** The uids that a shipment is linked to. */
export function linkedUids(item: ShipmentItem): string[] {
  return links.map(link => item[linkFields[link]]).filter(uid => uid !== null)
}
