import type { Selectable } from 'kysely'
import { type ShipmentItem, toUtcWithoutOffset } from '#contract'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { StoreTransaction } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'
import type { LockerRow, ShipmentColumns } from '../store/tables.ts'

/** The state of a locker or a pick up point that does not work. */
export type OutOfService = NonNullable<ShipmentItem['outOfService']>

/** Reads the columns of a locker or a pick up point. Returns null while it is in service. */
export function toOutOfService({
  out_of_service_reason: reason,
  out_of_service_since: since,
}: Pick<Selectable<LockerRow>, 'out_of_service_reason' | 'out_of_service_since'>): OutOfService | null {
  return reason === null || since === null ? null : { reason, since: toUtcWithoutOffset(since) }
}

/** Returns whether a locker, or its pick up point, is out of service. */
async function isOutOfService(tx: StoreTransaction, lockerUid: string): Promise<boolean> {
  const { rows } = await tx.executeQuery(findOutOfService(tx, { lockerUid }))
  return rows.length > 0
}

const findOutOfService = keepQuery((db, { lockerUid }: { readonly lockerUid: string }) =>
  db
    .selectFrom('lockers')
    .innerJoin('pick_up_points', 'pick_up_points.pup_uid', 'lockers.pup_uid')
    .select('lockers.locker_uid')
    .where('lockers.locker_uid', '=', lockerUid)
    .where(eb =>
      eb.or([
        eb('lockers.out_of_service_since', 'is not', null),
        eb('pick_up_points.out_of_service_since', 'is not', null),
      ]),
    ),
)

/**
 * Throws if a drop off would put an item into an empty locker that is out of service. Items come out of it as before, so
 * a swap whose opening takes an item out is allowed.
 * @param shipment in ReadyForDropOff, with its locker's row locked
 * @throws OperationError with the given code
 */
export async function assertTakesItems(
  { tx }: Pick<Call, 'tx'>,
  { locker_uid, swaps_shipment_uid }: ShipmentColumns,
  code: 'UnlockNotAllowed' | 'LockerOutOfService',
): Promise<void> {
  if (locker_uid === null || !(await isOutOfService(tx, locker_uid))) return
  const inside = await tx
    .selectFrom('shipments')
    .select('shipment_uid')
    .where('shipment_uid', '=', swaps_shipment_uid)
    .where('state_code', '=', 'ReadyForPickup')
    .executeTakeFirst()
  if (inside === undefined) throw new OperationError(code, 'The locker is out of service and takes no drop off.')
}

/**
 * Throws if a request must not book the locker of an earlier shipment. The caller has locked the locker's row.
 * @throws OperationError LockerOutOfService
 */
export async function assertTakesBookings({ tx, tenantId }: Call, lockerUid: string): Promise<void> {
  const { rows } = await tx.executeQuery(findOpen(tx, { tenantId, lockerUid }))
  if (rows.length > 0) return
  throw new OperationError('LockerOutOfService', 'The locker of the prior shipment takes no new bookings.')
}

const findOpen = keepQuery((db, { tenantId, lockerUid }: { readonly tenantId: string; readonly lockerUid: string }) =>
  db
    .selectFrom('lockers')
    .innerJoin('pick_up_point_tenants', 'pick_up_point_tenants.pup_uid', 'lockers.pup_uid')
    .select('lockers.locker_uid')
    .where('lockers.locker_uid', '=', lockerUid)
    .where('lockers.closed', '=', 0)
    .where('pick_up_point_tenants.tenant_id', '=', tenantId)
    .where('pick_up_point_tenants.retired_at', 'is', null),
)
