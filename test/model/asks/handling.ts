import type { RequestOf } from '#contract'
import { lockersAt } from '../model/lockers.ts'
import { pressedAt, type Shipment, toUtcWithoutOffset } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import { managedBy } from '../model/who.ts'
import type { Asks } from './ask.ts'
import { anItem, aPoint, aShipment, aText, aUser, mostly, unknownName, type View } from './picks.ts'

const isReady = ({ state }: Shipment) => state === 'ReadyForDropOff' || state === 'ReadyForPickup'
const named = ({ model }: View, uid: string) => model.shipments.find(({ name }) => name === uid)

/** The code that opens the locker in the current state of the shipment. */
function codeOf(shipment: Shipment | undefined): string | undefined {
  return shipment?.state === 'ReadyForDropOff' ? shipment.deliveryCode : shipment?.pickUpCode
}

/** Mostly the valid code; sometimes the shipment's other code, one of another shipment, an old one or a wrong one. */
function aCode(view: View, shipment: Shipment | undefined): string {
  const { dice, model } = view
  if (shipment === undefined) return 'wrong'
  const { deliveryCode, pickUpCode } = shipment
  const right = codeOf(shipment)
  const wrong = [deliveryCode, pickUpCode, 'wrong', 'wrong', 'wrong', dice.oneOf(model.shipments)?.pickUpCode]
  const old = `code ${1 + dice.below(model.named.code)}`
  return (
    (dice.oneIn(model.attempts[pressedAt(view.tenant, shipment.lockerUid)] === undefined ? 6 : 2)
      ? dice.oneOf([...wrong, model.named.code > 0 ? old : undefined])
      : right) ?? 'wrong'
  )
}

function listed(view: View): RequestOf<'GetShipments'> {
  const { dice, model } = view
  if (dice.oneIn(2))
    return dice.oneOf<RequestOf<'GetShipments'>>([{}, { pageNo: 1, pageSize: 2 }, { pageNo: 2, pageSize: 3 }])
  const shipmentUid = aShipment(view)
  const moment = model.shipments[dice.below(model.shipments.length + 1)]?.activity ?? model.now
  return dice.oneOf<RequestOf<'GetShipments'>>([
    { activeShipments: true },
    { outOfService: true },
    { shipmentState: [dice.oneOf(['ReadyForPickup', 'completed', 'WaitForReceiver', 'ReadyForDropoff'])] },
    { shipmentState: ['Cancelled', 'WAITFORPRIORSHIPMENT'], sortBy: 'CreatedDesc' },
    { shipmentUid },
    { userUid: aUser(view), sortBy: 'ActivityAsc' },
    { bookedPupUid: aPoint(view), activeShipments: true },
    { updatedSince: toUtcWithoutOffset(moment) },
    { referenceCaseNo: aText(view, 'case') },
    { sortBy: dice.oneOf(['CreatedDesc', 'ActivityAsc', 'ActivityDesc']), pageSize: 500 },
    { shipmentState: [], userUid: '', bookedPupUid: null, shipmentUid: '', updatedSince: '', referenceCaseNo: '' },
  ])
}

export const handling: Asks<
  | 'SetShipmentDetails'
  | 'AddShipmentObject'
  | 'RemoveShipmentObject'
  | 'SetShipmentReceiver'
  | 'CancelShipment'
  | 'UnlockShipmentLocker'
  | 'GetShipmentAccessCode'
  | 'GetShipments'
  | 'GetLocalShipments'
  | 'GetCollectOnlyShipments'
  | 'SimulateLockerAccess'
> = {
  SetShipmentDetails: view => ({
    ...{ shipmentUid: aShipment(view), ReferenceNo: 'no 3', ReferenceCaseNo: 'case 1' },
    Description: view.dice.oneOf(['text 3', null, '']),
  }),
  AddShipmentObject(view) {
    const { dice } = view
    const texts = { referenceNo: aText(view, 'no'), description: aText(view, 'text') }
    const figures = { weight: 1_250.5, count: 2, dimension: anItem(view) }
    const details = dice.oneOf<RequestOf<'AddShipmentObject'>['details']>([{}, texts, { ...texts, ...figures }])
    const change = { changePickUpAccess: !mostly(view, true), changeDropOffAccess: !mostly(view, true) }
    return { shipmentUid: aShipment(view), details, ...(dice.oneIn(2) && change) }
  },
  RemoveShipmentObject(view) {
    const shipmentUid = aShipment(view, ({ objects }) => objects.length > 0)
    const any = view.model.shipments.flatMap(({ objects }) => objects)
    const from = view.dice.oneIn(8) ? any : (named(view, shipmentUid)?.objects ?? [])
    return { shipmentUid, shipmentObjectUid: view.dice.oneOf(from)?.shipmentObjectUid ?? unknownName }
  },
  SetShipmentReceiver(view) {
    const removeReceiver = view.dice.oneOf([undefined, false, null, true])
    const isApt = ({ to, state }: Shipment) => (to !== null) === (removeReceiver === true) && state !== 'ReadyForPickup'
    const toUserUid = removeReceiver === true ? view.dice.oneOf([undefined, unknownName, '']) : aUser(view)
    return { shipmentUid: aShipment(view, isApt), toUserUid, caseReferenceNew: aText(view, 'new'), removeReceiver }
  },
  CancelShipment: view => ({ shipmentUid: aShipment(view) }),
  UnlockShipmentLocker(view) {
    const isPressed = ({ lockerUid }: Shipment) => view.model.attempts[pressedAt(view.tenant, lockerUid)] !== undefined
    const shipmentUid = aShipment(view, view.dice.oneIn(3) ? isPressed : isReady)
    const shipment = named(view, shipmentUid)
    const apt = shipment?.state === 'ReadyForDropOff' ? 'DropOff' : 'PickUp'
    const unlockGoal = view.dice.oneOf([apt, apt, apt, 'DropOff', 'PickUp', null, undefined] as const)
    const isWrong = shipment !== undefined && isPressed(shipment)
    const pinCode = view.dice.oneOf([aCode(view, shipment), isWrong ? 'wrong' : undefined, '', null])
    return { shipmentUid, unlockGoal, pinCode }
  },
  GetShipmentAccessCode: view => ({ shipmentUid: aShipment(view) }),
  GetShipments: listed,
  GetLocalShipments: listed,
  GetCollectOnlyShipments: listed,
  SimulateLockerAccess(view) {
    const { dice, model, tenant } = view
    // Prefers a locker with wrong codes, because it locks only after five of them.
    const own = managedBy(tenant).flatMap(point => lockersAt(point.pupUid))
    const pressed = dice.oneIn(2)
      ? own.find(({ lockerUid }) => model.attempts[pressedAt(tenant, lockerUid)] !== undefined)
      : undefined
    if (pressed !== undefined) {
      const inside = model.shipments.find(one => one.lockerUid === pressed.lockerUid && isReady(one))
      const pinCode = (dice.oneIn(4) ? codeOf(inside) : undefined) ?? 'wrong'
      return { pupUid: pressed.pupUid, lockerName: pressed.name, pinCode }
    }
    const shipment = named(view, aShipment(view, isReady))
    const pupUid = shipment && !dice.oneIn(20) ? shipment.pupUid : aPoint(view)
    const its = shipment?.lockerUid.split(':')[1]
    const any = dice.oneOf([...lockersAt(pupUid).map(({ name }) => name), unknownName])
    const lockerName = (dice.oneIn(20) ? undefined : its) ?? any ?? unknownName
    return { pupUid, lockerName, pinCode: aCode(view, shipment && isActive(shipment) ? shipment : undefined) }
  },
}
