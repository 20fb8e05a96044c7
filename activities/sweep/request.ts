import type { ShipmentItem } from '#contract'
import type { FlowDeclaration } from '#workflows/flows'

/** Nobody tells how large an item was; a request that is never sent may say anything. */
const size = { width: 1, height: 1, length: 1 }

/**
 * A request that could have made these shipments, for a case that Temporal has forgotten: users, pick up point, prior
 * shipment and the fields that stages depend on. It is for recognizing the shipments and is never sent.
 */
export function requestFrom({ roles }: FlowDeclaration, items: readonly ShipmentItem[]): Record<string, unknown> {
  const uids = new Set(items.map(({ shipmentUid }) => shipmentUid))
  const first = items.find(item => linksOf(item).every(uid => !uids.has(uid))) ?? items[0]
  if (first === undefined) return {}
  const isGiven = Object.values(roles)[0]?.given === true
  const [linked] = linksOf(first)
  const prior = isGiven ? first.shipmentUid : linked
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

/** The shipments that one leads to, by its links. */
export function linksOf({ swapsShipmentUid, priorShipmentUid, circularPriorShipmentUid }: ShipmentItem): string[] {
  return [swapsShipmentUid, priorShipmentUid, circularPriorShipmentUid].filter(uid => uid !== null)
}
