import type { Selectable } from 'kysely'
import type { StateCode } from '#contract/terms'
import type { ShipmentEvent } from '#machines'
import { pickUpPointOf } from '../../pickUpPoints/index.ts'
import { advance, countWrongCode, forgetWrongCodes, refuseLocked } from '../../shipments/index.ts'
import { withRowLock } from '../../store/rowLocks.ts'
import type { ShipmentRow } from '../../store/tables.ts'
import { type Call, type Handler, Refusal } from '../call.ts'

/** What a code does at the locker: it is the shipment's state that tells a drop off from a pick up. */
const accesses: readonly { state: StateCode; code: 'delivery_code' | 'pick_up_code'; event: ShipmentEvent }[] = [
  { state: 'ReadyForDropOff', code: 'delivery_code', event: { type: 'dropOff' } },
  { state: 'ReadyForPickup', code: 'pick_up_code', event: { type: 'pickUp' } },
]

/**
 * A person opens a locker with a pin code. Any locker of the caller's pick up points can be tried, but only the
 * caller's own shipments open: at a shared pick up point another tenant's code is a wrong code like any other.
 */
export const SimulateLockerAccess: Handler<'SimulateLockerAccess'> = async (call, request) => {
  await pickUpPointOf(call, request.pupUid, 'pupUid')
  const lockerUid = await lockerToOpen(call, request.pupUid, request.lockerName)
  await refuseLocked(call, lockerUid)
  for (const { state, code, event } of accesses) {
    const shipment = await shipmentAt(call, lockerUid, state, code, request.pinCode)
    if (shipment === undefined) continue
    await forgetWrongCodes(call, lockerUid)
    await advance(call, shipment, event)
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
  state: StateCode,
  column: 'delivery_code' | 'pick_up_code',
  code: string,
): Promise<Selectable<ShipmentRow> | undefined> {
  return tx
    .selectFrom('shipments')
    .selectAll()
    .where('locker_uid', '=', lockerUid)
    .where('tenant_id', '=', tenantId)
    .where('state_code', '=', state)
    .where(column, '=', code)
    .executeTakeFirst()
}
