import { states } from '#contract/terms'
import type { Call } from '../../call.ts'
import { type Access, accesses, assertNotLocked, findAccess, rejectPin, resetPinAttempts } from '../../lockers/index.ts'
import { OperationError } from '../../operationError.ts'
import { lockShipment, type Shipment, transition } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/**
 * Opens the locker of a shipment (specification, UnlockShipmentLocker). With a goal, the shipment advances when the door
 * is open, as it does after access with the code. Without a goal its state does not change.
 */
export const UnlockShipmentLocker: Handler<'UnlockShipmentLocker'> = async (call, request) => {
  const { shipmentUid, unlockGoal: goal, pinCode } = request
  const shipment = await lockShipment(call, shipmentUid)
  const door = await requireDoor(call, shipment)
  const access = findAccess(shipment.state_code)
  if (goal != null && access !== accesses[goal]) {
    throw new OperationError(
      'UnlockNotAllowed',
      `A shipment in ${shipment.state_code} does not allow the unlockGoal ${goal}.`,
    )
  }
  if (pinCode) await checkCode(call, { lockerUid: door.lockerUid, code: findCurrentCode(shipment, access), pinCode })
  if (!(await call.openDoor(door))) throw new OperationError('UnlockFailed', 'The locker did not open; try again.')
  if (goal != null) await transition(call, shipment, accesses[goal].event)
  return {}
}

/** @throws OperationError InvalidShipmentState when the shipment has no locker or has ended */
async function requireDoor({ tx }: Call, shipment: Shipment) {
  const locker = await tx
    .selectFrom('lockers')
    .select(['pup_uid', 'locker_uid', 'name'])
    .where('locker_uid', '=', shipment.locker_uid)
    .executeTakeFirst()
  if (locker === undefined || states[shipment.state_code].final) {
    throw new OperationError('InvalidShipmentState', `A shipment in ${shipment.state_code} has no locker to open.`)
  }
  return { pupUid: locker.pup_uid, lockerUid: locker.locker_uid, lockerName: locker.name }
}

/** The code that opens the locker now; null while the shipment waits for another shipment or a receiver. */
function findCurrentCode(shipment: Shipment, access: Access | undefined): string | null {
  return access === undefined ? null : shipment[access.code]
}

interface PinCheck {
  readonly lockerUid: string
  readonly code: string | null
  readonly pinCode: string
}

/** @throws OperationError TooManyAttempts, InvalidAccessCode */
async function checkCode(call: Call, { lockerUid, code, pinCode }: PinCheck): Promise<void> {
  await assertNotLocked(call, lockerUid)
  if (pinCode === code) return resetPinAttempts(call, lockerUid)
  return rejectPin(call, lockerUid)
}
