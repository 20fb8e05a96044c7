import type { StateCode } from '#contract/terms'
import type { Locker } from './lockers.ts'
import { type Model, type Name, newName, type Shipment, type Sides, type Texts } from './model.ts'
import { announce, findPrior, isActive } from './states.ts'

/** The properties of a shipment that a create operation decides. */
export interface Making {
  readonly tenant: string
  readonly from: Name
  readonly to: Name | null
  readonly locker: Pick<Locker, 'pupUid' | 'lockerUid'>
  readonly sides: Sides
  readonly texts: Texts
  readonly type?: Shipment['type']
  readonly link?: Shipment['link']
  readonly kept?: boolean
  readonly stock?: boolean
  readonly senderDerived?: boolean
}

export function make(model: Model, making: Making): Shipment {
  const { tenant, from, to, locker, sides, texts, type = 'LocalPupShipment', link = null } = making
  const prior = model.shipments.find(({ name }) => name === link?.prior)
  const pickUpCode = newName(model, 'code')
  const shipment: Shipment = {
    ...{ name: newName(model, 'shipment'), tenant, type, from, to, sides, link, objects: [] },
    ...{ pupUid: locker.pupUid, lockerUid: locker.lockerUid, kept: making.kept ?? false, stock: making.stock ?? false },
    ...{ ...texts, senderDerived: making.senderDerived ?? false },
    ...{ state: firstState(type, link?.kind, prior), stateStart: model.now, created: model.now, activity: model.now },
    pickUpCode,
    deliveryCode: link?.kind === 'swap' && prior ? prior.pickUpCode : newName(model, 'code'),
  }
  model.shipments.push(shipment)
  announce(model, shipment)
  return shipment
}

function firstState(type: Shipment['type'], link: string | undefined, prior: Shipment | undefined): StateCode {
  if (type === 'CollectOnlyShipment') return 'ReadyForPickup'
  if (link === undefined) return 'ReadyForDropOff'
  return link === 'swap' && prior?.state === 'ReadyForPickup' ? 'ReadyForDropOff' : 'WaitForPriorShipment'
}

/** Changes the pick up code, which is also the delivery code of the swap. */
export function changePickUpCode(model: Model, shipment: Shipment): void {
  shipment.pickUpCode = newName(model, 'code')
  for (const swap of model.shipments.filter(({ link }) => link?.kind === 'swap' && link.prior === shipment.name)) {
    if (swap.state !== 'Cancelled') Object.assign(swap, { deliveryCode: shipment.pickUpCode, activity: model.now })
  }
  shipment.activity = model.now
}

/** Changes the delivery code. For a swap it is the pick up code of the swapped shipment. */
export function changeDeliveryCode(model: Model, shipment: Shipment): void {
  const prior = shipment.link?.kind === 'swap' ? findPrior(model, shipment) : undefined
  if (prior !== undefined && isActive(prior)) changePickUpCode(model, prior)
  else shipment.deliveryCode = newName(model, 'code')
}
