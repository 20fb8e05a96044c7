import type { RequestOf, ResponseOf, ShipmentItem } from '#contract'
import { findOutOfService } from '../model/lockers.ts'
import { type Model, type Shipment, toUtcWithoutOffset } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import type { Caller, Rules } from './rule.ts'

/** One page of the items. */
export function pageOf<Item>(
  items: readonly Item[],
  asked: { pageNo?: number | null | undefined; pageSize?: number | null | undefined },
) {
  const { pageNo, pageSize } = { pageNo: asked.pageNo ?? 1, pageSize: asked.pageSize ?? 50 }
  const page = items.slice((pageNo - 1) * pageSize, pageNo * pageSize)
  return { items: page, pageNo, pageSize, totalItems: items.length, totalPages: Math.ceil(items.length / pageSize) }
}

/** A shipment as the list operations return it. */
function itemOf(model: Model, shipment: Shipment): ShipmentItem {
  const { name, type, state, stateStart, created, from, to, pupUid, lockerUid, link, kept, objects } = shipment
  const { referenceNo, referenceCaseNo, description } = shipment
  const priorBy = (kind: string) => (link?.kind === kind ? link.prior : null)
  return {
    ...{ shipmentUid: name, shipmentType: type, stateCode: state, stateStart: toUtcWithoutOffset(stateStart) },
    ...{
      created: toUtcWithoutOffset(created),
      referenceNo,
      referenceCaseNo,
      description,
      fromUserUid: from,
      toUserUid: to,
    },
    ...{ pupUid, lockerUid, lockerName: lockerUid.split(':')[1] ?? '' },
    pickUpCode: isActive(shipment) ? shipment.pickUpCode : null,
    deliveryCode: isActive(shipment) ? shipment.deliveryCode : null,
    swapsShipmentUid: priorBy('swap'),
    priorShipmentUid: priorBy('subsequent'),
    circularPriorShipmentUid: priorBy('circular'),
    keepBookedAfterPickUp: kept,
    outOfService: isActive(shipment) ? findOutOfService(model, shipment) : null,
    objects,
  }
}

/** All shipments of a tenant as list items, oldest first. */
export function itemsOf(model: Model, tenant: string): ShipmentItem[] {
  const own = model.shipments.filter(shipment => shipment.tenant === tenant)
  return own.map(shipment => itemOf(model, shipment))
}

type Asked = RequestOf<'GetShipments'>

function list(model: Model, asked: Asked, caller: Caller, type?: Shipment['type']): ResponseOf<'GetShipments'> {
  const states = asked.shipmentState?.length ? asked.shipmentState.map(code => code.toLowerCase()) : undefined
  const since = asked.updatedSince ? Date.parse(`${asked.updatedSince}Z`) : 0
  const found = model.shipments.filter(
    shipment =>
      shipment.tenant === caller.tenant &&
      (type === undefined || shipment.type === type) &&
      (asked.activeShipments !== true || isActive(shipment)) &&
      (asked.outOfService !== true || (isActive(shipment) && findOutOfService(model, shipment) !== null)) &&
      (states?.includes(shipment.state.toLowerCase()) ?? true) &&
      (!asked.userUid || [shipment.from, shipment.to].includes(asked.userUid)) &&
      (!asked.bookedPupUid || shipment.pupUid === asked.bookedPupUid) &&
      (!asked.shipmentUid || shipment.name === asked.shipmentUid) &&
      (!asked.referenceCaseNo || shipment.referenceCaseNo === asked.referenceCaseNo) &&
      shipment.activity >= since,
  )
  const sortBy = asked.sortBy || 'CreatedAsc'
  if (sortBy !== 'CreatedAsc') {
    const by = sortBy.startsWith('Created') ? 'created' : 'activity'
    const sign = sortBy.endsWith('Desc') ? -1 : 1
    const { rank } = caller.choices
    found.sort((a, b) => sign * (a[by] - b[by]) || rank(a.name) - rank(b.name))
  }
  return pageOf(
    found.map(shipment => itemOf(model, shipment)),
    asked,
  )
}

export const listing: Rules<'GetShipments' | 'GetLocalShipments' | 'GetCollectOnlyShipments'> = {
  GetShipments: (model, request, caller) => list(model, request, caller),
  GetLocalShipments: (model, request, caller) => list(model, request, caller, 'LocalPupShipment'),
  GetCollectOnlyShipments: (model, request, caller) => list(model, request, caller, 'CollectOnlyShipment'),
}
