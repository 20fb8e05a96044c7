import { findOutOfService, lockersAt } from '../model/lockers.ts'
import { type Model, type Name, pressedAt, type Shipment } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { dropOff, findPrior, isActive, pickUp } from '../model/states.ts'
import { ownPoint, ownShipment, tenantNamed } from '../model/who.ts'
import type { Rules } from './rule.ts'

const maxWrong = 5
/** Milliseconds; each further wrong code doubles them, up to an hour. */
const firstLock = 30_000
const maxLock = 3_600_000

/** The code that opens the locker for a shipment now. */
function validCode({ state, deliveryCode, pickUpCode }: Shipment): Name | null {
  if (state === 'ReadyForDropOff') return deliveryCode
  return state === 'ReadyForPickup' ? pickUpCode : null
}

/** The drop off or pick up that follows an opening. */
function advance(model: Model, shipment: Shipment): void {
  const prior = shipment.link?.kind === 'swap' ? findPrior(model, shipment) : undefined
  if (shipment.state === 'ReadyForPickup') pickUp(model, shipment)
  // A locker never gets a second item: the swapped shipment is picked up first.
  else if (prior?.state === 'ReadyForPickup') pickUp(model, prior)
  else dropOff(model, shipment)
}

/** True for a drop off that would put an item into an empty locker out of service. */
function isClosedTo(model: Model, shipment: Shipment): boolean {
  const swapped = shipment.link?.kind === 'swap' ? findPrior(model, shipment) : undefined
  return findOutOfService(model, shipment) !== null && swapped?.state !== 'ReadyForPickup'
}

/** @throws Refusal while the locker is locked after wrong codes */
function expectUnlocked({ attempts, now }: Model, pressed: string): void {
  if (now < (attempts[pressed]?.lockedUntil ?? 0)) refuse('TooManyAttempts')
}

function countWrong({ attempts, now }: Model, pressed: string): void {
  const failures = (attempts[pressed]?.failures ?? 0) + 1
  const lockedUntil = failures < maxWrong ? 0 : now + Math.min(firstLock * 2 ** (failures - maxWrong), maxLock)
  attempts[pressed] = { failures, lockedUntil }
}

export const access: Rules<'SimulateLockerAccess' | 'UnlockShipmentLocker'> = {
  SimulateLockerAccess(model, { pupUid, lockerName, pinCode }, caller) {
    const point = ownPoint(caller.tenant, pupUid)
    const { lockerUid } = lockersAt(point.pupUid).find(({ name }) => name === lockerName) ?? refuse('InvalidLocker')
    const pressed = pressedAt(caller.tenant, lockerUid)
    expectUnlocked(model, pressed)
    const opened = model.shipments.find(
      one => one.lockerUid === lockerUid && one.tenant === caller.tenant && validCode(one) === pinCode,
    )
    if (opened === undefined) {
      countWrong(model, pressed)
      return { refused: 'InvalidAccessCode' }
    }
    if (opened.state === 'ReadyForDropOff' && isClosedTo(model, opened)) refuse('LockerOutOfService')
    delete model.attempts[pressed]
    advance(model, opened)
    return {}
  },

  UnlockShipmentLocker(model, { shipmentUid, unlockGoal, pinCode }, caller) {
    const shipment = ownShipment(model, caller.tenant, shipmentUid)
    const pressed = pressedAt(caller.tenant, shipment.lockerUid)
    if (!isActive(shipment)) refuse('InvalidShipmentState')
    if (unlockGoal === 'DropOff' && shipment.state !== 'ReadyForDropOff') refuse('UnlockNotAllowed')
    if (unlockGoal === 'PickUp' && shipment.state !== 'ReadyForPickup') refuse('UnlockNotAllowed')
    if (unlockGoal === 'DropOff' && isClosedTo(model, shipment)) refuse('UnlockNotAllowed')
    if (pinCode) {
      expectUnlocked(model, pressed)
      const { deliveryCode, pickUpCode } = shipment
      const valid = unlockGoal == null ? [deliveryCode, pickUpCode] : [validCode(shipment)]
      if (!valid.includes(pinCode)) {
        countWrong(model, pressed)
        return { refused: 'InvalidAccessCode' }
      }
    }
    if (pinCode) delete model.attempts[pressed]
    if (tenantNamed(model, caller.tenant).faults.hardwareFails) return { refused: 'UnlockFailed' }
    if (unlockGoal != null) advance(model, shipment)
    return {}
  },
}
