import type { RequestOf } from '#contract'
import { expectInService } from '../model/lockers.ts'
import { changePickUpCode, make } from '../model/make.ts'
import type { Model, Shipment } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { enterState, isActive, setReceiver } from '../model/states.ts'
import { anyUser, ownShipment } from '../model/who.ts'
import { dispatcherOf, textsOf } from './bookings.ts'
import type { Caller, Rules } from './rule.ts'
import { expectSwappable } from './swaps.ts'

type Issuing = RequestOf<'CreateLocalShipmentAsIssueFromStock'>

/** Gives stock a receiver and a new pick up code. */
function issue(model: Model, caller: Caller, request: Issuing, isFollowed: boolean): Shipment {
  const stock = ownShipment(model, caller.tenant, request.PriorShipmentUid)
  const receiver = anyUser(model, request.ToUserUid)
  if (!stock.stock || stock.to !== null || !isActive(stock)) refuse('InvalidShipmentState')
  if (isFollowed) expectSwappable(model, stock)
  expectInService(model, stock)
  setReceiver(model, stock, receiver)
  stock.referenceCaseNo = request.Issue?.ReferenceCaseNo ?? stock.referenceCaseNo
  changePickUpCode(model, stock)
  if (stock.state === 'WaitForReceiver') enterState(model, stock, 'ReadyForPickup')
  return stock
}

export const issueFromStockRules: Rules<
  | 'CreateLocalShipmentAsIssueFromStock'
  | 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
  | 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
> = {
  CreateLocalShipmentAsIssueFromStock(model, request, caller) {
    return { shipmentUids: [issue(model, caller, request, false).name] }
  },

  CreateLocalShipmentAsIssueFromStockAndSwapIntake(model, request, caller) {
    const issued = issue(model, caller, request, true)
    const intake = make(model, {
      ...{ tenant: caller.tenant, from: request.ToUserUid, to: dispatcherOf(model, caller), locker: issued },
      ...{
        sides: issued.sides,
        texts: textsOf(request.Return),
        link: { kind: 'swap', prior: issued.name },
        senderDerived: true,
      },
    })
    return { shipmentUids: [issued.name, intake.name] }
  },

  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock(model, request, caller) {
    const before = model.shipments.find(({ name }) => name === request.PriorShipmentUid)
    const inherited = before && { ...before }
    const issued = issue(model, caller, request, true)
    const dispatcher = dispatcherOf(model, caller)
    const common = { tenant: caller.tenant, locker: issued, sides: issued.sides }
    const intake = make(model, {
      ...{ ...common, from: request.ToUserUid, to: dispatcher, texts: textsOf(request.Return) },
      link: { kind: 'subsequent', prior: issued.name },
      senderDerived: true,
    })
    const own = textsOf(request.Details)
    const texts = {
      referenceNo: own.referenceNo ?? inherited?.referenceNo ?? null,
      referenceCaseNo: own.referenceCaseNo ?? inherited?.referenceCaseNo ?? null,
      description: own.description ?? inherited?.description ?? null,
    }
    const stock = make(model, {
      ...{ ...common, from: dispatcher, to: null, stock: true, texts },
      link: { kind: 'circular', prior: intake.name },
    })
    return { shipmentUids: [issued.name, intake.name, stock.name] }
  },
}
