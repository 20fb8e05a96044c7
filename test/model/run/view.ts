import type { ShipmentItem } from '#contract'
import type { StateCode } from '#contract/terms'
import type { Account, Model, Shipment } from '../model/model.ts'
import { startModel } from '../model/start.ts'

const item = { width: 5, height: 5, length: 5 }

/** A model of the listed shipments, with real identifiers instead of names, for choosing the next request. */
export function viewOf(
  now: number,
  listed: ReadonlyMap<string, readonly ShipmentItem[]>,
  accounts: readonly Account[],
): Model {
  const shipments = [...listed].flatMap(([tenant, items]) => items.map(one => shipmentOf(tenant, one)))
  return { ...startModel(now), accounts: [...accounts], shipments }
}

function shipmentOf(tenant: string, listed: ShipmentItem): Shipment {
  const { shipmentUid, fromUserUid, toUserUid, swapsShipmentUid, priorShipmentUid, circularPriorShipmentUid } = listed
  const prior = swapsShipmentUid ?? priorShipmentUid ?? circularPriorShipmentUid
  const kind = swapsShipmentUid !== null ? 'swap' : priorShipmentUid !== null ? 'subsequent' : 'circular'
  return {
    ...{ name: shipmentUid, tenant, from: fromUserUid ?? '', to: toUserUid, sides: item, objects: listed.objects },
    type: listed.shipmentType as Shipment['type'],
    state: listed.stateCode as StateCode,
    ...{ stateStart: Date.parse(`${listed.stateStart}Z`), created: Date.parse(`${listed.created}Z`), activity: 0 },
    ...{ pupUid: listed.pupUid, lockerUid: listed.lockerUid ?? '', kept: listed.keepBookedAfterPickUp },
    ...{ pickUpCode: listed.pickUpCode ?? 'none', deliveryCode: listed.deliveryCode ?? 'none' },
    link: prior === null ? null : { kind, prior },
    ...{ stock: toUserUid === null, senderDerived: false },
    ...{ referenceNo: listed.referenceNo, referenceCaseNo: listed.referenceCaseNo, description: listed.description },
  }
}
