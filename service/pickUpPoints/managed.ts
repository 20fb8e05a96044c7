import type { Selectable, Transaction } from 'kysely'
import { type Call, Refusal } from '../operations/call.ts'
import type { PickUpPointRow, Tables } from '../store/tables.ts'

/** The pick up points that a tenant manages, as a query to narrow down. */
export function pickUpPointsOf(tx: Transaction<Tables>, tenantId: string) {
  return tx
    .selectFrom('pick_up_points')
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('pick_up_point_tenants')
          .select('pick_up_point_tenants.pup_uid')
          .whereRef('pick_up_point_tenants.pup_uid', '=', 'pick_up_points.pup_uid')
          .where('pick_up_point_tenants.tenant_id', '=', tenantId),
      ),
    )
}

/** A pick up point of the caller; undefined when it is unknown or somebody else's. */
export function findPickUpPoint(
  { tx, tenantId }: Pick<Call, 'tx' | 'tenantId'>,
  pupUid: string,
): Promise<Selectable<PickUpPointRow> | undefined> {
  return pickUpPointsOf(tx, tenantId).selectAll().where('pup_uid', '=', pupUid).executeTakeFirst()
}

/**
 * A pick up point of the caller.
 * @param field what the caller calls it, for the message
 * @throws Refusal InvalidPupUid, in the same words for an unknown one and for somebody else's
 */
export async function pickUpPointOf(
  call: Pick<Call, 'tx' | 'tenantId'>,
  pupUid: string,
  field: string,
): Promise<Selectable<PickUpPointRow>> {
  const found = await findPickUpPoint(call, pupUid)
  if (found === undefined)
    throw new Refusal('InvalidPupUid', `${field} has to be the uid of one of your pick up points`)
  return found
}
