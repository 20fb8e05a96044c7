import type { Transaction } from 'kysely'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forKeyShare } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'
import type { PickUpPointRow, Tables } from '../store/tables.ts'

type PickUpPoint = Pick<PickUpPointRow, 'pup_uid'>

/** A query for the pick up points that a tenant manages and does not leave. */
export function selectPickUpPoints(tx: Transaction<Tables>, tenantId: string) {
  return tx
    .selectFrom('pick_up_points')
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('pick_up_point_tenants')
          .select('pick_up_point_tenants.pup_uid')
          .whereRef('pick_up_point_tenants.pup_uid', '=', 'pick_up_points.pup_uid')
          .where('pick_up_point_tenants.tenant_id', '=', tenantId)
          .where('pick_up_point_tenants.retired_at', 'is', null),
      ),
    )
}

/** Returns a pick up point of the caller's tenant, or undefined. Prevents the removal of its access until the transaction ends. */
export function findPickUpPoint(
  { tx, tenantId }: Pick<Call, 'tx' | 'tenantId'>,
  pupUid: string,
): Promise<PickUpPoint | undefined> {
  return tx
    .selectFrom('pick_up_point_tenants')
    .select('pup_uid')
    .where('tenant_id', '=', tenantId)
    .where('pup_uid', '=', pupUid)
    .where('retired_at', 'is', null)
    .modifyEnd(forKeyShare(tx))
    .executeTakeFirst()
}

/**
 * Returns a pick up point of the caller's tenant, as `findPickUpPoint` does.
 * @param field the request's field that named it, for the message
 * @throws OperationError InvalidPupUid, with the same message for unknown and for foreign pick up points
 */
export async function requirePickUpPoint(
  call: Pick<Call, 'tx' | 'tenantId'>,
  pupUid: string,
  field: string,
): Promise<PickUpPoint> {
  const found = await findPickUpPoint(call, pupUid)
  if (found === undefined) throw unknownPickUpPoint(field)
  return found
}

/**
 * Requires a pick up point of the caller's tenant, or one that the tenant leaves: its shipments there go on to their end.
 * @throws OperationError InvalidPupUid
 */
export async function requirePickUpPointUntilLeft(
  { tx, tenantId }: Pick<Call, 'tx' | 'tenantId'>,
  pupUid: string,
  field: string,
): Promise<void> {
  const { rows } = await tx.executeQuery(findAccess(tx, { tenantId, pupUid }))
  if (rows.length === 0) throw unknownPickUpPoint(field)
}

interface TenantAtPickUpPoint {
  readonly tenantId: string
  readonly pupUid: string
}

const findAccess = keepQuery((db, { tenantId, pupUid }: TenantAtPickUpPoint) =>
  db
    .selectFrom('pick_up_point_tenants')
    .select('pup_uid')
    .where('tenant_id', '=', tenantId)
    .where('pup_uid', '=', pupUid),
)

/** A query for a pick up point of the caller's tenant, and the tenant. It is built once, for all bookings. */
export const findBookingPlace = keepQuery((db, { tenantId, pupUid }: TenantAtPickUpPoint) =>
  db
    .selectFrom('pick_up_point_tenants')
    .innerJoin('pick_up_points', 'pick_up_points.pup_uid', 'pick_up_point_tenants.pup_uid')
    .innerJoin('tenants', 'tenants.tenant_id', 'pick_up_point_tenants.tenant_id')
    .select(['pick_up_points.overflow_pup_uid', 'tenants.dispatcher_user_uid', 'tenants.callback_url'])
    .where('pick_up_point_tenants.tenant_id', '=', tenantId)
    .where('pick_up_point_tenants.pup_uid', '=', pupUid)
    .where('pick_up_point_tenants.retired_at', 'is', null)
    .modifyEnd(forKeyShare(db)),
)

/** The error for an unknown and for a foreign pick up point, which a caller cannot tell apart. */
export function unknownPickUpPoint(field: string): OperationError {
  return new OperationError('InvalidPupUid', `${field} must be the uid of one of your pick up points.`)
}
