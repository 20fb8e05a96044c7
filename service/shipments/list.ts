import type { ResponseOf } from '#contract'
import type { ShipmentType } from '#contract/terms'
import { recordBounded } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { readAccessCodes } from '../lockers/index.ts'
import { toPage } from '../page.ts'
import { shipmentTotal } from './counts.ts'
import { toShipmentItem } from './listedRow.ts'
import { hasManyMatches, isFiltered, type ListRequest, matchingShipments, toCounted } from './listFilters.ts'
import { readFarPage, readPage, sortColumns } from './listPages.ts'
import { findObjects } from './objects.ts'
import { areInRanges, maxSkipped } from './ranges.ts'
import { type FoundPage, findShortList } from './shortLists.ts'

/** Maximum number of shipments that are sorted. If there are more, a scan in their order finds them soon enough. */
const maxSorted = 10_000

/**
 * Lists the shipments that the caller's tenant created, optionally of one type. Filters are combined with AND; empty
 * and null filters are ignored.
 * @throws OperationError PageTooLarge
 */
export async function listShipments(
  call: Call,
  request: ListRequest,
  type?: ShipmentType,
): Promise<ResponseOf<'GetShipments'>> {
  const { rows, count } = (await findShortList(call, request, type)) ?? (await findMatching(call, request, type))
  const objects = await findObjects(
    call.tx,
    rows.map(row => row.shipment_uid),
  )
  const items = rows.map(row =>
    toShipmentItem(row, readAccessCodes(call, row), [...(objects.get(row.shipment_uid) ?? [])]),
  )
  if (items.some(({ pickUpCode, deliveryCode }) => pickUpCode !== null || deliveryCode !== null)) {
    const { tx, tenantId, clientId, now } = call
    await recordBounded(tx, { action: 'codes.listed', tenantId, clientId, now })
  }
  return { items, ...count }
}

async function findMatching(call: Call, request: ListRequest, type: ShipmentType | undefined): Promise<FoundPage> {
  const matching = matchingShipments(call, request, type)
  const counted = hasManyMatches(request) ? toCounted(call, request, type) : undefined
  const exact = counted && shipmentTotal(call.tx, counted)
  const found = exact
    ? await call.tx.selectNoFrom(exact.as('total')).executeTakeFirstOrThrow()
    : await matching.select(eb => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const total = Number(found.total)
  const { offset, count } = toPage(request, total)
  const order = sortColumns[request.sortBy ?? 'CreatedAsc']
  const isFar = Math.min(offset, total - offset) > maxSkipped
  if (exact && isFar && areInRanges(counted)) {
    const place = { order, offset, pageSize: Math.min(request.pageSize, total - offset), total: exact, counted }
    return { rows: await readFarPage(call, matching.select('shipments.seq'), place), count }
  }
  const rows = await readPage(call, matching.select('shipments.seq'), {
    order,
    ...(exact && offset > total / 2 && offset < total
      ? { fromEnd: exact, offset, pageSize: Math.min(request.pageSize, total - offset) }
      : { offset, pageSize: request.pageSize }),
    bySorting: isFiltered(request, type) && total <= maxSorted,
  })
  return { rows, count }
}
