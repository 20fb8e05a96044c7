import { isIntake } from '../rules/swaps.ts'
import type { Asks } from './ask.ts'
import { aLockerUid, anItem, aPoint, aShipment, aText, aUser, details, mostly, type View } from './picks.ts'

function locker(view: View) {
  const PupUid = aPoint(view)
  const Dimension = anItem(view)
  const LockerUid = aLockerUid(view, PupUid)
  return {
    PupUid,
    Dimension,
    LockerUid,
    AllowLargerLockers: mostly(view, true),
    AllowOverflowLockers: mostly(view, true),
  }
}

const booking = (view: View) => ({ ...locker(view), Details: details(view) })
const collecting = (view: View) => ({ ...booking(view), KeepBookedAfterPickUp: !mostly(view, true) })

/** Prefers stock without a receiver. */
function issuing(view: View) {
  const PriorShipmentUid = aShipment(view, ({ stock, to }) => stock && to === null)
  const Issue = view.dice.oneIn(2) ? { ReferenceCaseNo: aText(view, 'issue') } : undefined
  return { PriorShipmentUid, ToUserUid: aUser(view), Issue }
}

const dispatcherOf = ({ model, tenant }: View) => model.tenants[tenant]?.dispatcher ?? ''
const isFree = ({ model }: View, name: string) => !model.shipments.some(({ link }) => link?.prior === name)

export const creating: Asks<
  | 'CreateLocalShipment'
  | 'CreateLocalShipmentAsIssue'
  | 'CreateLocalShipmentAsIssueAndSwapIntake'
  | 'CreateLocalShipmentAsStock'
  | 'CreateLocalShipmentAsStockAfterSwapIntake'
  | 'CreateLocalShipmentAsIssueFromStock'
  | 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
  | 'CreateLocalShipmentAsIntake'
  | 'CreateLocalShipmentAsIntakeAndCircularStock'
  | 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
  | 'CreateCollectOnlyShipment'
  | 'CreateCollectOnlyShipmentAsCollectByDispatcher'
  | 'CreateCollectOnlyShipmentAsCollectByUser'
> = {
  CreateLocalShipment(view) {
    const { dice, model } = view
    const SwapsShipmentUid = dice.oneIn(2) ? aShipment(view, ({ name }) => isFree(view, name)) : undefined
    const swapped = model.shipments.find(({ name }) => name === SwapsShipmentUid)
    const place = locker(view)
    // Mostly the place of the swapped shipment; the service refuses any other.
    const shared = swapped &&
      !dice.oneIn(5) && { PupUid: swapped.pupUid, LockerUid: dice.oneOf([null, swapped.lockerUid]) }
    const IsReceiverDelayed = dice.oneOf([undefined, undefined, false, true, true])
    const isSwap = swapped !== undefined
    const ToUserUid = IsReceiverDelayed === true && !dice.oneIn(12) ? null : dice.oneOf([aUser(view), null])
    const isNeeded = ToUserUid === null && !(isSwap && IsReceiverDelayed === true)
    const FromUserUid = isNeeded && !dice.oneIn(12) ? aUser(view) : dice.oneOf([null, aUser(view)])
    const texts = { ReferenceNo: aText(view, 'no'), ReferenceCaseNo: aText(view, 'case') }
    return { ...place, ...shared, ...texts, SwapsShipmentUid, IsReceiverDelayed, ToUserUid, FromUserUid }
  },
  CreateLocalShipmentAsIssue: view => ({ ...booking(view), ToUserUid: aUser(view) }),
  CreateLocalShipmentAsIssueAndSwapIntake: view => ({
    ...{ ...booking(view), ToUserUid: aUser(view), Return: details(view) },
  }),
  CreateLocalShipmentAsStock: booking,
  CreateLocalShipmentAsStockAfterSwapIntake: view => ({
    PriorShipmentUid: aShipment(view, one => isIntake(one, dispatcherOf(view)) && isFree(view, one.name)),
    Dimension: anItem(view),
    Details: details(view),
  }),
  CreateLocalShipmentAsIssueFromStock: issuing,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: view => ({ ...issuing(view), Return: details(view) }),
  CreateLocalShipmentAsIntake: view => ({ ...booking(view), FromUserUid: aUser(view) }),
  CreateLocalShipmentAsIntakeAndCircularStock: view => ({ ...booking(view), FromUserUid: aUser(view) }),
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: view => ({
    ...{ ...issuing(view), Return: details(view), Details: details(view) },
  }),
  CreateCollectOnlyShipment: view => ({
    ...collecting(view),
    ToUserUid: view.dice.oneOf([undefined, null, aUser(view)]),
  }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: collecting,
  CreateCollectOnlyShipmentAsCollectByUser: view => ({ ...collecting(view), ToUserUid: aUser(view) }),
}
