import { expectInService, fits, lockers } from '../model/lockers.ts'
import { make } from '../model/make.ts'
import type { Model, Shipment, Sides } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { followersOf, isActive } from '../model/states.ts'
import { anyUser, ownShipment } from '../model/who.ts'
import { book, dispatcherOf, textsOf } from './bookings.ts'
import type { Rules } from './rule.ts'

/** @throws Refusal if the shipment has a follower or cannot have one */
export function expectSwappable(model: Model, shipment: Shipment): void {
  const free = followersOf(model, shipment, 'swap', 'subsequent', 'circular').length === 0
  if (!isActive(shipment) || shipment.type === 'CollectOnlyShipment' || !free) refuse('InvalidShipmentState')
}

/** @throws Refusal if the item does not fit the locker of the shipment */
function expectFit(item: Sides, { lockerUid }: Shipment): void {
  const locker = lockers.find(one => one.lockerUid === lockerUid)
  if (locker === undefined || !fits(item, locker)) refuse('InvalidDimension')
}

/** True for a shipment from a user to the dispatcher, even after its receiver was removed. */
export function isIntake({ type, stock, from, to }: Shipment, dispatcher: string): boolean {
  return type === 'LocalPupShipment' && !stock && (to === dispatcher || (to === null && from !== dispatcher))
}

export const swapRules: Rules<'CreateLocalShipment' | 'CreateLocalShipmentAsStockAfterSwapIntake'> = {
  CreateLocalShipment(model, request, caller) {
    const dispatcher = dispatcherOf(model, caller)
    const delayed = request.IsReceiverDelayed === true
    const from = request.FromUserUid ?? undefined
    const to = request.ToUserUid ?? undefined
    if (request.SwapsShipmentUid == null) {
      const receiver = delayed ? null : (to ?? dispatcher)
      const users = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      const more = { to: receiver, stock: delayed, texts: textsOf(request) }
      return answer(book(model, caller, request, users, more))
    }
    const swapped = ownShipment(model, caller.tenant, request.SwapsShipmentUid)
    if (request.PupUid !== swapped.pupUid) refuse('InvalidPupUid')
    for (const user of [from, to]) if (user !== undefined) anyUser(model, user)
    expectSwappable(model, swapped)
    if (request.LockerUid != null && request.LockerUid !== swapped.lockerUid) refuse('InvalidLocker')
    expectInService(model, swapped)
    expectFit(request.Dimension, swapped)
    const sender = from ?? (to === undefined ? (swapped.to ?? dispatcher) : dispatcher)
    return answer(
      make(model, {
        ...{ tenant: caller.tenant, from: sender, to: delayed ? null : (to ?? dispatcher), stock: delayed },
        ...{ locker: swapped, sides: request.Dimension, texts: textsOf(request) },
        ...{ link: { kind: 'swap', prior: swapped.name }, senderDerived: from === undefined && to === undefined },
      }),
    )
  },

  CreateLocalShipmentAsStockAfterSwapIntake(model, request, caller) {
    const swapped = ownShipment(model, caller.tenant, request.PriorShipmentUid)
    if (!isIntake(swapped, dispatcherOf(model, caller))) refuse('InvalidShipment')
    expectSwappable(model, swapped)
    expectInService(model, swapped)
    expectFit(request.Dimension, swapped)
    const stock = make(model, {
      ...{ tenant: caller.tenant, from: dispatcherOf(model, caller), to: null, stock: true, locker: swapped },
      ...{ sides: request.Dimension, texts: textsOf(request.Details), link: { kind: 'swap', prior: swapped.name } },
    })
    return { shipmentUids: [stock.name] }
  },
}

function answer({ name, pupUid, lockerUid }: Shipment) {
  return { shipmentUid: name, pupUid, lockerName: lockerUid.split(':')[1] ?? '' }
}
