import { sql } from 'kysely'
import { activeStates, isFinalState } from '#contract/terms'
import { deleteShipments } from '../shipments/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { skipLocked } from '../store/locks.ts'
import { caseStateOf, readActiveCases } from './activeCases.ts'
import { batchRows, type RunBatch } from './purge.ts'

/** Shipments that one transaction deletes. Each may have many objects. */
const batchShipments = 50
/** Tenants that fail one after the other: the store itself is unavailable. */
const maxFailures = 3

/** The shipments of a tenant that a round purges. */
interface Purge {
  readonly tenantId: string
  /** Milliseconds since 1970. */
  readonly before: number
  /** Read when a shipment with a case may be deleted. */
  activeCases?: ReadonlySet<string>
}

interface Place {
  readonly updatedAt: number
  readonly seq: number
  /** The number of shipments to read from there. */
  readonly rows: number
}

interface Batch {
  readonly purged: number
  /** The last shipment that was read; undefined after the last one of the tenant. */
  readonly last: Place | undefined
}

/** Takes the error of one tenant, whose shipments stay until the next round. */
export type ReportFailure = (tenantId: string, error: unknown) => void

/**
 * Deletes ended shipments whose last change is older, tenant by tenant in the order of an index that bookings need anyway.
 * Returns the number of deleted shipments.
 * @throws the error of a tenant when those before it have failed, too
 */
export async function purgeShipments(
  runBatch: RunBatch,
  before: number,
  report: ReportFailure = rethrow,
): Promise<number> {
  const tenants = await runBatch(tx => tx.selectFrom('tenants').select('tenant_id').execute())
  let purged = 0
  let failures = 0
  for (const { tenant_id: tenantId } of tenants ?? []) {
    try {
      await purgeTenant(runBatch, { tenantId, before }, count => {
        purged += count
      })
      failures = 0
    } catch (error) {
      if (++failures >= maxFailures) throw error
      report(tenantId, error)
    }
  }
  return purged
}

function rethrow(_tenantId: string, error: unknown): never {
  throw error
}

async function purgeTenant(runBatch: RunBatch, purge: Purge, count: (purged: number) => void): Promise<void> {
  let from: Place | undefined = { updatedAt: 0, seq: 0, rows: batchShipments }
  while (from !== undefined) {
    const place: Place = from
    const batch: Batch | undefined = await runBatch(tx => purgeBatch(tx, purge, place))
    count(batch?.purged ?? 0)
    from = batch?.last
  }
}

/** Continues after `from`, so that a round reads each shipment that stays once. */
async function purgeBatch(tx: StoreTransaction, purge: Purge, from: Place): Promise<Batch> {
  const rows = await tx
    .selectFrom('shipments')
    .select(['seq', 'shipment_uid', 'state_code', 'updated_at', 'reference_case_no'])
    .where('tenant_id', '=', purge.tenantId)
    .where('updated_at', '<=', purge.before)
    .where(sql<boolean>`(updated_at, seq) > (${from.updatedAt}, ${from.seq})`)
    .orderBy('updated_at')
    .orderBy('seq')
    .limit(from.rows)
    .execute()
  const ended = rows.filter(({ state_code }) => isFinalState(state_code))
  if (ended.some(({ reference_case_no }) => reference_case_no !== null))
    purge.activeCases ??= await readActiveCases(tx, purge.tenantId)
  const leaving = ended.filter(row => !isOfActiveCase(purge, row))
  const deleted = leaving.slice(0, batchShipments)
  const uids = deleted.map(({ shipment_uid }) => shipment_uid)
  const purged = uids.length === 0 ? 0 : await deleteUnused(tx, purge, uids)
  const hasMore = leaving.length > deleted.length
  if (!hasMore && rows.length < from.rows) return { purged, last: undefined }
  const last = hasMore ? deleted.at(-1) : rows.at(-1)
  if (last === undefined) return { purged, last }
  // Behind shipments that stay there are often more of them.
  const next = deleted.length === 0 ? batchRows : batchShipments
  return { purged, last: { updatedAt: last.updated_at, seq: last.seq, rows: next } }
}

function isOfActiveCase(
  { activeCases }: Purge,
  { reference_case_no: caseNo }: { readonly reference_case_no: string | null },
): boolean {
  return caseNo !== null && activeCases?.has(caseNo) === true
}

async function deleteUnused(tx: StoreTransaction, purge: Purge, shipmentUids: readonly string[]): Promise<number> {
  const unlinked = await tx
    .selectFrom('shipments as ended')
    // A shipment may have been booked in the case since the active cases were read.
    .select(['ended.shipment_uid', 'ended.reference_case_no', caseStateOf('ended').as('case_state')])
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
  if (unlinked.some(({ case_state }) => case_state === 'large'))
    purge.activeCases = await readActiveCases(tx, purge.tenantId)
  const unused = unlinked.filter(row => row.case_state !== 'active' && !isOfActiveCase(purge, row))
  return deleteShipments(
    tx,
    unused.map(({ shipment_uid }) => shipment_uid),
  )
}
