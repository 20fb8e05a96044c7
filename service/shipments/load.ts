import type { ResponseOf } from '#contract'
import { shipmentTypes, states } from '#contract/terms'
import type { Call } from '../call.ts'
import { assertDoorFree } from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import { forNoKeyUpdate, hasRowLocks } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'
import type { ShipmentColumns } from '../store/tables.ts'

export type Shipment = ShipmentColumns
/** With the name of its locker. */
export type BookedShipment = Shipment & { readonly locker_name: string }

/**
 * Returns a shipment of the caller's tenant.
 * @param field the request's field that named it, for the message
 * @throws OperationError InvalidShipment, with the same message for unknown and for foreign shipments
 */
export async function requireShipment(
  { tx, tenantId }: Call,
  shipmentUid: string,
  field = 'shipmentUid',
): Promise<Shipment> {
  const { rows } = await tx.executeQuery(findShipment(tx, { tenantId, shipmentUid }))
  const [shipment] = rows
  if (shipment === undefined) {
    throw new OperationError('InvalidShipment', `${field} must be the uid of one of your shipments.`)
  }
  return shipment
}

const findShipment = keepQuery(
  (db, { tenantId, shipmentUid }: { readonly tenantId: string; readonly shipmentUid: string }) =>
    db.selectFrom('shipments').selectAll().where('shipment_uid', '=', shipmentUid).where('tenant_id', '=', tenantId),
)

/**
 * Returns a shipment and locks its locker until the transaction ends. Linked shipments share a locker, so this lock
 * serialises all changes at one locker. A door that is being opened is the longer form of that lock.
 * @throws OperationError InvalidShipment; DoorInUse, after which the request waits and runs again
 */
export async function lockShipment(call: Call, shipmentUid: string, field?: string): Promise<Shipment> {
  if (hasRowLocks(call.tx)) {
    await call.tx
      .selectFrom('lockers')
      .select('locker_uid')
      .where('locker_uid', '=', eb =>
        eb
          .selectFrom('shipments')
          .select('shipments.locker_uid')
          .where('shipment_uid', '=', shipmentUid)
          .where('tenant_id', '=', call.tenantId),
      )
      .modifyEnd(forNoKeyUpdate(call.tx))
      .execute()
  }
  const shipment = await requireShipment(call, shipmentUid, field)
  await assertDoorFree(call, shipment.locker_uid)
  return shipment
}

/**
 * Locks a shipment that must not have ended, with its locker.
 * @throws OperationError InvalidShipment, InvalidShipmentState
 */
export async function lockActiveShipment(call: Call, shipmentUid: string): Promise<Shipment> {
  const shipment = await lockShipment(call, shipmentUid)
  assertActive(shipment)
  return shipment
}

/**
 * Locks an intake with its locker: a shipment from a user to the dispatcher, who may be removed as its receiver.
 * @throws OperationError InvalidShipment, including for every other shipment of the caller
 */
export async function lockIntake(call: Call, shipmentUid: string): Promise<Shipment> {
  const shipment = await lockShipment(call, shipmentUid, 'PriorShipmentUid')
  const { dispatcher_user_uid: dispatcher } = await call.tenant()
  const { from_user_uid, to_user_uid } = shipment
  const isIntake =
    shipment.shipment_type === shipmentTypes.local &&
    shipment.stock === 0 &&
    (to_user_uid === dispatcher || (to_user_uid === null && from_user_uid !== dispatcher))
  if (isIntake) return shipment
  throw new OperationError('InvalidShipment', 'PriorShipmentUid must be the uid of one of your intake shipments.')
}

/** @throws OperationError InvalidShipmentState */
export function assertActive({ state_code }: Shipment): void {
  if (!states[state_code].final) return
  throw new OperationError('InvalidShipmentState', `The shipment has ended (${state_code}) and cannot be changed.`)
}

/** The name of a shipment's locker, for a linked shipment: the locker was reserved by another one. */
export async function readLockerName({ tx }: Call, { locker_uid }: Shipment): Promise<string> {
  const { name } = await tx
    .selectFrom('lockers')
    .select('name')
    .where('locker_uid', '=', locker_uid)
    .executeTakeFirstOrThrow()
  return name
}

/** The response of an operation that creates one shipment (specification, CreateLocalShipment: Response). */
export function toBookedResponse({
  shipment_uid,
  pup_uid,
  locker_name,
}: BookedShipment): ResponseOf<'CreateLocalShipment'> {
  return { shipmentUid: shipment_uid, pupUid: pup_uid, lockerName: locker_name }
}
