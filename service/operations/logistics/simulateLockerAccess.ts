import type { Selectable } from 'kysely'
import type { Call } from '../../call.ts'
import {
  type Access,
  accesses,
  assertDoorFree,
  assertNotLocked,
  assertTakesItems,
  readAccessCodes,
  rejectPin,
  resetPinAttempts,
} from '../../lockers/index.ts'
import { OperationError } from '../../operationError.ts'
import { requirePickUpPointUntilLeft } from '../../pickUpPoints/index.ts'
import { transition } from '../../shipments/index.ts'
import { forNoKeyUpdate } from '../../store/locks.ts'
import { keepQuery } from '../../store/statements.ts'
import type { ShipmentRow } from '../../store/tables.ts'
import type { Handler } from '../handler.ts'

/**
 * Simulates a person who opens a locker with a PIN code. The caller may try any locker of its pick up points, but only
 * its own shipments open: at a shared pick up point the code of another tenant counts as wrong. A swap has one code for
 * both shipments: the item inside is collected and the other one dropped off. A locker out of service takes no drop off.
 */
export const SimulateLockerAccess: Handler<'SimulateLockerAccess'> = async (call, request) => {
  await requirePickUpPointUntilLeft(call, request.pupUid, 'pupUid')
  const lockerUid = await lockLocker(call, request.pupUid, request.lockerName)
  await assertNotLocked(call, lockerUid)
  for (const access of Object.values(accesses)) {
    const shipment = await findShipmentByCode(call, lockerUid, access, request.pinCode)
    if (shipment === undefined) continue
    await assertDoorFree(call, lockerUid)
    if (access === accesses.DropOff) await assertTakesItems(call, shipment, 'LockerOutOfService')
    await resetPinAttempts(call, lockerUid)
    await transition(call, shipment, access.event)
    return {}
  }
  return rejectPin(call, lockerUid)
}

/** Locks the row of the locker, so that accesses run one at a time. */
async function lockLocker({ tx }: Call, pupUid: string, name: string): Promise<string> {
  const { rows } = await tx.executeQuery(findLocker(tx, { pupUid, name }))
  const [locker] = rows
  if (locker === undefined) {
    throw new OperationError('InvalidLocker', 'lockerName must be the name of a locker of the pick up point in pupUid.')
  }
  return locker.locker_uid
}

const findLocker = keepQuery((db, { pupUid, name }: { readonly pupUid: string; readonly name: string }) =>
  db
    .selectFrom('lockers')
    .select('locker_uid')
    .where('pup_uid', '=', pupUid)
    .where('name', '=', name)
    .modifyEnd(forNoKeyUpdate(db)),
)

async function findShipmentByCode(
  call: Call,
  lockerUid: string,
  access: Access,
  pinCode: string,
): Promise<Selectable<ShipmentRow> | undefined> {
  const { tx, tenantId } = call
  const { rows } = await tx.executeQuery(findInState(tx, { lockerUid, tenantId, state: access.state }))
  return rows.find(shipment => readAccessCodes(call, shipment)[access.code] === pinCode)
}

interface InState {
  readonly lockerUid: string
  readonly tenantId: string
  readonly state: Access['state']
}

const findInState = keepQuery((db, { lockerUid, tenantId, state }: InState) =>
  db
    .selectFrom('shipments')
    .selectAll()
    .where('locker_uid', '=', lockerUid)
    .where('tenant_id', '=', tenantId)
    .where('state_code', '=', state),
)
