import type { ReadRequestOf } from '#contract'
import { states } from '#contract/terms'
import { auditCall, recordBounded } from '../../audit/index.ts'
import type { Call } from '../../call.ts'
import { type Door, settleFailedOpening } from '../../hardware/index.ts'
import {
  accesses,
  assertNotLocked,
  assertTakesItems,
  endDoorLease,
  leaseDoor,
  readAccessCodes,
  rejectPin,
  resetPinAttempts,
} from '../../lockers/index.ts'
import { OperationError } from '../../operationError.ts'
import { readFaults } from '../../sandbox/index.ts'
import { lockShipment, requireShipment, type Shipment, transition } from '../../shipments/index.ts'
import type { SteppedHandler } from '../handler.ts'

/**
 * Opens the locker of a shipment (specification, UnlockShipmentLocker). With a goal, the shipment advances when the door
 * is open, as it does after access with the code. Without a goal its state does not change. A transaction checks the
 * request and leases the door; the door opens; another transaction ends the lease and advances the shipment.
 */
export const UnlockShipmentLocker: SteppedHandler<'UnlockShipmentLocker'> = {
  async steps({ transaction, openDoor, unlockTimeout }, request) {
    const { door, leaseId, hardwareFails } = await transaction(async call => {
      const door = await checkAccess(call, request)
      const { hardwareFails } = await readFaults(call)
      return { door, leaseId: await leaseDoor(call, door.lockerUid, unlockTimeout), hardwareFails }
    })
    // The sandbox fault has all effects of failing hardware: the audit entry is written, and wrong codes are forgotten.
    const opened = !hardwareFails && (await openDoor(door, leaseId))
    const recorded = await transaction(async call => {
      // The response of an adapter may be lost although its event has arrived. The report of a broken door also locks the
      // row of the door before that of the locker.
      const settle = () => settleFailedOpening(call.tx, door.lockerUid, leaseId)
      const settled = !opened && (await settle())
      // An expired lease may belong to another request now: this one came too late to advance the shipment.
      const leased = await endDoorLease(call, door.lockerUid, leaseId)
      const isOpen = opened ? leased || (await settle()) : settled
      await recordOpening(call, request, isOpen)
      if (isOpen && leased) await advance(call, request)
      return isOpen && leased
    })
    if (!recorded) throw new OperationError('UnlockFailed', 'The locker did not open; try again.')
    return {}
  },
}

type Request = ReadRequestOf<'UnlockShipmentLocker'>

/**
 * Returns the door that the request may open now.
 * @throws OperationError as declared by the operation
 */
async function checkAccess(call: Call, { shipmentUid, unlockGoal: goal, pinCode }: Request): Promise<Door> {
  const shipment = await lockShipment(call, shipmentUid)
  const door = await requireDoor(call, shipment)
  if (goal != null && shipment.state_code !== accesses[goal].state) {
    throw new OperationError(
      'UnlockNotAllowed',
      `A shipment in ${shipment.state_code} does not allow the unlockGoal ${goal}.`,
    )
  }
  if (goal === 'DropOff') await assertTakesItems(call, shipment, 'UnlockNotAllowed')
  if (pinCode) await checkCode(call, { lockerUid: door.lockerUid, codes: validCodes(call, shipment, goal), pinCode })
  return door
}

/** A failed opening is an entry too, since its door may open late. */
async function recordOpening(call: Call, { shipmentUid, unlockGoal }: Request, isOpen: boolean): Promise<void> {
  const detail = unlockGoal ?? 'none'
  if (isOpen) return auditCall(call, 'locker.unlocked', shipmentUid, detail)
  const { tx, tenantId, clientId, now } = call
  await recordBounded(tx, { action: 'locker.unlockFailed', tenantId, clientId, now, subject: shipmentUid, detail })
}

/** The lease has kept the shipment in its state. */
async function advance(call: Call, { shipmentUid, unlockGoal: goal }: Request): Promise<void> {
  if (goal == null) return
  await transition(call, await requireShipment(call, shipmentUid), accesses[goal].event)
}

/** @throws OperationError InvalidShipmentState when the shipment has no locker or has ended */
async function requireDoor({ tx }: Call, shipment: Shipment): Promise<Door> {
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

/** The code of the goal. Without a goal both codes, because the state then does not matter. */
function validCodes(call: Call, shipment: Shipment, goal: Request['unlockGoal']): readonly (string | null)[] {
  const codes = readAccessCodes(call, shipment)
  return goal == null ? [codes.deliveryCode, codes.pickUpCode] : [codes[accesses[goal].code]]
}

interface PinCheck {
  readonly lockerUid: string
  readonly codes: readonly (string | null)[]
  readonly pinCode: string
}

/** @throws OperationError TooManyAttempts, InvalidAccessCode */
async function checkCode(call: Call, { lockerUid, codes, pinCode }: PinCheck): Promise<void> {
  await assertNotLocked(call, lockerUid)
  if (codes.includes(pinCode)) return resetPinAttempts(call, lockerUid)
  return rejectPin(call, lockerUid)
}
