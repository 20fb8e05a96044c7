import { sql } from 'kysely'
import type { ShipmentType } from '#contract/terms'
import type { Call } from '../call.ts'
import { toPage } from '../page.ts'
import { keepQuery } from '../store/statements.ts'
import { type ListedRow, selectListed } from './listedRow.ts'
import { hideFromPlanner, isFiltered, type ListRequest } from './listFilters.ts'

/** A page of a list with its counts. */
export interface FoundPage {
  readonly rows: readonly ListedRow[]
  readonly count: ReturnType<typeof toPage>['count']
}

/**
 * Finds a list of one shipment, or of one case: the lists that flows ask for most often. One kept query counts and reads.
 * @returns undefined for any other list, and for a case with more shipments than a page has
 */
export async function findShortList(
  call: Call,
  request: ListRequest,
  type: ShipmentType | undefined,
): Promise<FoundPage | undefined> {
  if (isByUidOnly(request, type)) return findByUid(call, request)
  return isFirstPageOfCase(request, type) ? findByCase(call, request) : undefined
}

/** True for a list of at most one shipment, whose number needs no query of its own. */
function isByUidOnly({ shipmentUid, ...request }: ListRequest, type: ShipmentType | undefined): boolean {
  return Boolean(shipmentUid) && !isFiltered({ ...request, shipmentUid: null }, type)
}

/** True for the first page of a case in the order of creation, which mostly has all of its few shipments. */
function isFirstPageOfCase({ referenceCaseNo, ...request }: ListRequest, type: ShipmentType | undefined): boolean {
  const isSorted = (request.sortBy ?? 'CreatedAsc') === 'CreatedAsc'
  return (
    Boolean(referenceCaseNo) &&
    request.pageNo === 1 &&
    isSorted &&
    !isFiltered({ ...request, referenceCaseNo: null }, type)
  )
}

async function findByUid({ tx, tenantId }: Call, request: ListRequest): Promise<FoundPage> {
  const { rows } = await tx.executeQuery(findOne(tx, { tenantId, shipmentUid: request.shipmentUid ?? '' }))
  const { offset, count } = toPage(request, rows.length)
  return { rows: rows.slice(offset), count }
}

const findOne = keepQuery(
  (db, { tenantId, shipmentUid }: { readonly tenantId: string; readonly shipmentUid: string }) =>
    selectListed(db)
      .where('shipments.tenant_id', '=', tenantId)
      .where('shipments.shipment_uid', '=', hideFromPlanner(shipmentUid)),
)

async function findByCase({ tx, tenantId }: Call, request: ListRequest): Promise<FoundPage | undefined> {
  const { referenceCaseNo, pageSize } = request
  const values = { tenantId, caseNo: referenceCaseNo ?? '', limit: pageSize + 1 }
  const { rows } = await tx.executeQuery(findOfCase(tx, values))
  return rows.length > pageSize ? undefined : { rows, count: toPage(request, rows.length).count }
}

/** Sorts by expressions, as `readPage` does, since cases are small and most shipments belong to others. */
const findOfCase = keepQuery(
  (db, { tenantId, caseNo, limit }: { readonly tenantId: string; readonly caseNo: string; readonly limit: number }) =>
    selectListed(db)
      .where('shipments.seq', 'in', eb =>
        eb
          .selectFrom('shipments')
          .select('seq')
          .where('tenant_id', '=', tenantId)
          .where('reference_case_no', '=', hideFromPlanner(caseNo))
          .orderBy(sql`seq + 0`)
          .limit(limit),
      )
      .orderBy('shipments.seq'),
)
