import { states } from '#contract/terms'
import {
  type Access,
  accesses,
  accessIn,
  advance,
  countWrongCode,
  forgetWrongCodes,
  refuseLocked,
  type Shipment,
  shipmentToChange,
} from '../../shipments/index.ts'
import { type Call, type Handler, Refusal } from '../call.ts'

/**
 * Opens the locker of a shipment (specification, UnlockShipmentLocker). With a goal the shipment advances as access
 * with the code would, once the door is open; without one nothing changes.
 */
export const UnlockShipmentLocker: Handler<'UnlockShipmentLocker'> = async (call, request) => {
  const { shipmentUid, unlockGoal: goal, pinCode } = request
  const shipment = await shipmentToChange(call, shipmentUid)
  const door = await doorOf(call, shipment)
  const access = accessIn(shipment.state_code)
  if (goal != null && access !== accesses[goal]) {
    throw new Refusal('UnlockNotAllowed', `A shipment in ${shipment.state_code} does not allow the unlockGoal ${goal}`)
  }
  if (pinCode) await checkCode(call, { lockerUid: door.lockerUid, right: rightCode(shipment, access), pinCode })
  if (!(await call.openDoor(door))) throw new Refusal('UnlockFailed', 'The locker did not open; try again.')
  if (goal != null) await advance(call, shipment, accesses[goal].event)
  return {}
}

/** @throws Refusal InvalidShipmentState when the locker is not, or not any more, that of the shipment */
async function doorOf({ tx }: Call, shipment: Shipment) {
  const locker = await tx
    .selectFrom('lockers')
    .select(['pup_uid', 'locker_uid', 'name'])
    .where('locker_uid', '=', shipment.locker_uid)
    .executeTakeFirst()
  if (locker === undefined || states[shipment.state_code].final) {
    throw new Refusal('InvalidShipmentState', `A shipment in ${shipment.state_code} has no locker to open`)
  }
  return { pupUid: locker.pup_uid, lockerUid: locker.locker_uid, lockerName: locker.name }
}

/** The code that opens the locker for this shipment now: none while it waits for another shipment or a receiver. */
function rightCode(shipment: Shipment, access: Access | undefined): string | null {
  return access === undefined ? null : shipment[access.code]
}

interface Attempt {
  readonly lockerUid: string
  readonly right: string | null
  readonly pinCode: string
}

/** @throws Refusal TooManyAttempts, InvalidAccessCode */
async function checkCode(call: Call, { lockerUid, right, pinCode }: Attempt): Promise<void> {
  await refuseLocked(call, lockerUid)
  if (pinCode === right) return forgetWrongCodes(call, lockerUid)
  await countWrongCode(call, lockerUid)
  throw new Refusal('InvalidAccessCode', 'pinCode has to be a code that opens this locker now', { keepsChanges: true })
}
