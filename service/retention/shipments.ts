import { sql } from 'kysely'
import { activeStates, isFinalState } from '#contract/terms'
import { subtractEnded, subtractFromChanges, subtractFromRanges } from '../shipments/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { skipLocked } from '../store/locks.ts'
import type { RunBatch } from './purge.ts'

/** Shipments of one transaction. Each may have many objects. */
const batchShipments = 50

interface Place {
  readonly updatedAt: number
  readonly seq: number
}

interface Batch {
  readonly purged: number
  /** The last shipment that was read; undefined after the last one of the tenant. */
  readonly last: Place | undefined
}

/**
 * Deletes ended shipments whose last change is older, tenant by tenant in the order of an index that bookings need anyway.
 * Returns the number of deleted shipments.
 */
export async function purgeShipments(runBatch: RunBatch, before: number): Promise<number> {
  const tenants = await runBatch(tx => tx.selectFrom('tenants').select('tenant_id').execute())
  let purged = 0
  for (const { tenant_id: tenantId } of tenants ?? []) {
    let from: Place | undefined = { updatedAt: 0, seq: 0 }
    while (from !== undefined) {
      const place: Place = from
      const batch: Batch | undefined = await runBatch(tx => purgeBatch(tx, tenantId, place, before))
      purged += batch?.purged ?? 0
      from = batch?.last
    }
  }
  return purged
}

/** Reads on behind `from`, so that old active shipments are read once per round. */
async function purgeBatch(tx: StoreTransaction, tenantId: string, from: Place, before: number): Promise<Batch> {
  const rows = await tx
    .selectFrom('shipments')
    .select(['seq', 'shipment_uid', 'state_code', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where('updated_at', '<=', before)
    .where(sql<boolean>`(updated_at, seq) > (${from.updatedAt}, ${from.seq})`)
    .orderBy('updated_at')
    .orderBy('seq')
    .limit(batchShipments)
    .execute()
  const last = rows.at(-1)
  const ended = rows.filter(({ state_code }) => isFinalState(state_code)).map(({ shipment_uid }) => shipment_uid)
  const purged = ended.length === 0 ? 0 : await deleteUnused(tx, ended)
  const isLast = last === undefined || rows.length < batchShipments
  return { purged, last: isLast ? undefined : { updatedAt: last.updated_at, seq: last.seq } }
}

async function deleteUnused(tx: StoreTransaction, shipmentUids: readonly string[]): Promise<number> {
  const unused = await tx
    .selectFrom('shipments as ended')
    .select('ended.shipment_uid')
    .where('ended.shipment_uid', 'in', shipmentUids)
    // A flow reads all shipments of its case, and a link is followed in both directions.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('shipments as other')
            .select('other.seq')
            .where('other.state_code', 'in', activeStates)
            .where(eb =>
              eb.or([
                eb.and([
                  eb('other.tenant_id', '=', eb.ref('ended.tenant_id')),
                  eb('other.reference_case_no', '=', eb.ref('ended.reference_case_no')),
                ]),
                eb('other.prior_shipment_uid', '=', eb.ref('ended.shipment_uid')),
                eb('other.swaps_shipment_uid', '=', eb.ref('ended.shipment_uid')),
                eb('other.circular_prior_shipment_uid', '=', eb.ref('ended.shipment_uid')),
                eb('other.shipment_uid', '=', eb.ref('ended.prior_shipment_uid')),
                eb('other.shipment_uid', '=', eb.ref('ended.swaps_shipment_uid')),
                eb('other.shipment_uid', '=', eb.ref('ended.circular_prior_shipment_uid')),
              ]),
            ),
        ),
      ),
    )
    .modifyEnd(skipLocked(tx))
    .execute()
  const uids = unused.map(({ shipment_uid }) => shipment_uid)
  if (uids.length === 0) return 0
  await subtractEnded(tx, uids)
  await subtractFromRanges(tx, uids)
  await subtractFromChanges(tx, uids)
  await tx.deleteFrom('shipment_objects').where('shipment_uid', 'in', uids).execute()
  const { numDeletedRows } = await tx.deleteFrom('shipments').where('shipment_uid', 'in', uids).executeTakeFirst()
  return Number(numDeletedRows)
}
