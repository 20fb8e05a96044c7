import type { Selectable } from 'kysely'
import { pickUpPointOf } from '../../pickUpPoints/index.ts'
import {
  type Access,
  accesses,
  advance,
  countWrongCode,
  forgetWrongCodes,
  refuseLocked,
} from '../../shipments/index.ts'
import { withRowLock } from '../../store/rowLocks.ts'
import type { ShipmentRow } from '../../store/tables.ts'
import { type Call, type Handler, Refusal } from '../call.ts'

/**
 * A person opens a locker with a pin code. Any locker of the caller's pick up points can be tried, but only the
 * caller's own shipments open: at a shared pick up point another tenant's code is a wrong code like any other.
 * The common code of a swap opens both: whichever is found, the item inside is taken out and the other one put in.
 */
export const SimulateLockerAccess: Handler<'SimulateLockerAccess'> = async (call, request) => {
  await pickUpPointOf(call, request.pupUid, 'pupUid')
  const lockerUid = await lockerToOpen(call, request.pupUid, request.lockerName)
  await refuseLocked(call, lockerUid)
  for (const access of Object.values(accesses)) {
    const shipment = await shipmentAt(call, lockerUid, access, request.pinCode)
    if (shipment === undefined) continue
    await forgetWrongCodes(call, lockerUid)
    await advance(call, shipment, access.event)
    return {}
  }
  await countWrongCode(call, lockerUid)
  throw new Refusal('InvalidAccessCode', 'pinCode has to be a code that opens this locker now', { keepsChanges: true })
}

/** The locker is held, as `shipmentToChange` holds it: one access at a time. */
async function lockerToOpen({ tx }: Call, pupUid: string, name: string): Promise<string> {
  const locker = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('pup_uid', '=', pupUid)
    .where('name', '=', name)
    .modifyEnd(withRowLock(tx))
    .executeTakeFirst()
  if (locker === undefined) {
    throw new Refusal('InvalidLocker', 'lockerName has to be the name of a locker of the pick up point in pupUid')
  }
  return locker.locker_uid
}

function shipmentAt(
  { tx, tenantId }: Call,
  lockerUid: string,
  access: Access,
  pinCode: string,
): Promise<Selectable<ShipmentRow> | undefined> {
  return tx
    .selectFrom('shipments')
    .selectAll()
    .where('locker_uid', '=', lockerUid)
    .where('tenant_id', '=', tenantId)
    .where('state_code', '=', access.state)
    .where(access.code, '=', pinCode)
    .executeTakeFirst()
}
