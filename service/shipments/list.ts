import { type ExpressionBuilder, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type ReadRequestOf, type ResponseOf, type ShipmentItem, toUtcWithoutOffset } from '#contract'
import {
  activeStates,
  readStateCode,
  readTime,
  type ShipmentType,
  type StateCode,
  stateCodes,
  states,
} from '#contract/terms'
import { recordBounded } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { type AccessCodes, readAccessCodes, toOutOfService } from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import { toPage } from '../page.ts'
import type { Store, StoreTransaction } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'
import type { LockerRow, ShipmentRow, Tables } from '../store/tables.ts'
import { type CountedShipments, shipmentTotal } from './counts.ts'
import { findObjects } from './objects.ts'
import { isOutOfService } from './outOfService.ts'
import { findInRanges, maxSkipped } from './ranges.ts'

type Request = ReadRequestOf<'GetShipments'>

/** Shipments of one call have the same creation time, so sort by `seq`. */
const sortColumns = {
  CreatedAsc: ['seq', 'asc'],
  CreatedDesc: ['seq', 'desc'],
  ActivityAsc: ['updated_at', 'asc'],
  ActivityDesc: ['updated_at', 'desc'],
} as const

const opposite = { asc: 'desc', desc: 'asc' } as const

/** Shipments that are sorted at most (D-316). More of them are frequent enough on a walk in their order. */
const maxSorted = 10_000

/**
 * Lists the shipments that the caller's tenant created, optionally of one type. Filters are combined with AND; empty
 * and null filters are ignored.
 * @throws OperationError InvalidRequest for an unknown state
 */
export async function listShipments(
  call: Call,
  request: Request,
  type?: ShipmentType,
): Promise<ResponseOf<'GetShipments'>> {
  const { rows, count } =
    (isByUidOnly(request, type) ? await findByUid(call, request) : undefined) ??
    (isFirstPageOfCase(request, type) ? await findByCase(call, request) : undefined) ??
    (await findMatching(call, request, type))
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

interface FoundPage {
  readonly rows: readonly ListedRow[]
  readonly count: ReturnType<typeof toPage>['count']
}

async function findMatching(call: Call, request: Request, type: ShipmentType | undefined): Promise<FoundPage> {
  if (request.userUid) await preferIndexes(call.tx)
  const matching = matchingShipments(call, request, type)
  const counted = hasManyMatches(request) ? shipmentTotal(call.tx, toCounted(call, request, type)) : undefined
  const found = counted
    ? await call.tx.selectNoFrom(counted.as('total')).executeTakeFirstOrThrow()
    : await matching.select(eb => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const total = Number(found.total)
  const { offset, count } = toPage(request, total)
  const order = sortColumns[request.sortBy ?? 'CreatedAsc']
  const isFar = Math.min(offset, total - offset) > maxSkipped
  if (counted && isFar && order[0] === 'seq' && !isFiltered(request, undefined)) {
    const place = { order, offset, pageSize: Math.min(request.pageSize, total - offset), total: counted, type }
    return { rows: await readFarPage(call, matching.select('shipments.seq'), place), count }
  }
  const rows = await readPage(call, matching.select('shipments.seq'), {
    order,
    ...(counted && offset > total / 2 && offset < total
      ? { fromEnd: counted, offset, pageSize: Math.min(request.pageSize, total - offset) }
      : { offset, pageSize: request.pageSize }),
    bySorting: isFiltered(request, type) && total <= maxSorted,
  })
  return { rows, count }
}

/** True for a list without a filter, or of some states: a tenant may have a million of such shipments. */
function hasManyMatches(request: Request): boolean {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, outOfService } = request
  return ![userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, outOfService].some(Boolean)
}

function toCounted({ tenantId }: Call, request: Request, type: ShipmentType | undefined): CountedShipments {
  const states = readStates(request) ?? stateCodes
  return {
    tenantId,
    states: request.activeShipments ? states.filter(state => activeStates.includes(state)) : states,
    type,
  }
}

/** True for a list of at most one shipment, whose number needs no query of its own. */
function isByUidOnly({ shipmentUid, ...request }: Request, type: ShipmentType | undefined): boolean {
  return Boolean(shipmentUid) && !isFiltered({ ...request, shipmentUid: null }, type)
}

async function findByUid({ tx, tenantId }: Call, request: Request): Promise<FoundPage> {
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

/** True for the first page of a case in the order of creation, which mostly has all of its few shipments. */
function isFirstPageOfCase({ referenceCaseNo, ...request }: Request, type: ShipmentType | undefined): boolean {
  const isSorted = (request.sortBy ?? 'CreatedAsc') === 'CreatedAsc'
  return (
    Boolean(referenceCaseNo) &&
    request.pageNo === 1 &&
    isSorted &&
    !isFiltered({ ...request, referenceCaseNo: null }, type)
  )
}

/** Undefined for a case with more shipments than a page has. */
async function findByCase({ tx, tenantId }: Call, request: Request): Promise<FoundPage | undefined> {
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

interface SelectedPage {
  readonly order: (typeof sortColumns)[keyof typeof sortColumns]
  readonly offset: number
  readonly pageSize: number
  /** The number of all, if the page is read from the end, and `pageSize` is the number of its shipments. */
  readonly fromEnd?: RawBuilder<number>
  /** Sorts the matching shipments, instead of a walk by the index of the order past those that do not match. */
  readonly bySorting: boolean
}

/** Reads a page of the matching shipments. */
async function readPage(
  { tx }: Call,
  matching: SelectQueryBuilder<Tables, 'shipments', { seq: number }>,
  { order: [column, direction], offset, pageSize, fromEnd, bySorting }: SelectedPage,
): Promise<ListedRow[]> {
  // An expression has no index.
  const [first, second] = bySorting
    ? [sql`${sql.ref(`shipments.${column}`)} + 0`, sql`shipments.seq + 0`]
    : [sql.ref(`shipments.${column}`), sql.ref('shipments.seq')]
  // The skipped rows are read from the index alone. The number of all is that of this statement: a shipment that was created
  // since it was counted must not shift the page.
  const [walked, skipped] =
    fromEnd === undefined
      ? [direction, offset]
      : [opposite[direction], notNegative(tx, sql`${fromEnd} - ${sql.lit(offset + pageSize)}`)]
  const seqs = matching.orderBy(first, walked).orderBy(second, walked).limit(pageSize).offset(skipped)
  return selectListed(tx)
    .where('shipments.seq', 'in', seqs)
    .orderBy(`shipments.${column}`, direction)
    .orderBy('shipments.seq', direction)
    .execute()
}

interface FarPage extends Pick<SelectedPage, 'order' | 'offset' | 'pageSize'> {
  readonly total: RawBuilder<number>
  readonly type: ShipmentType | undefined
}

/** Reads a page far from both ends of all shipments, in the order of their creation. */
async function readFarPage(
  { tx, tenantId }: Call,
  matching: SelectQueryBuilder<Tables, 'shipments', { seq: number }>,
  { order: [, direction], offset, pageSize, total, type }: FarPage,
): Promise<ListedRow[]> {
  // The number of all is that of this statement, as in `readPage`.
  const position = direction === 'asc' ? offset : notNegative(tx, sql`${total} - ${sql.lit(offset + pageSize)}`)
  const place = findInRanges({ tenantId, type, position })
  const seqs = matching
    .where('shipments.seq', '>', place.seq)
    .orderBy('shipments.seq')
    .limit(pageSize)
    .offset(place.offset)
  return selectListed(tx).where('shipments.seq', 'in', seqs).orderBy('shipments.seq', direction).execute()
}

/** PostgreSQL refuses a negative offset: shipments may have been purged. */
function notNegative(db: Store, value: RawBuilder<unknown>): RawBuilder<number> {
  return hasRowLocks(db) ? sql<number>`greatest(${value}, 0)` : sql<number>`max(${value}, 0)`
}

function selectListed(db: Store) {
  return db
    .selectFrom('shipments')
    .leftJoin('lockers', 'lockers.locker_uid', 'shipments.locker_uid')
    .leftJoin('pick_up_points', 'pick_up_points.pup_uid', 'shipments.pup_uid')
    .selectAll('shipments')
    .select(eb => [
      'lockers.name as locker_name',
      eb.fn
        .coalesce('lockers.out_of_service_reason', 'pick_up_points.out_of_service_reason')
        .as('out_of_service_reason'),
      eb.fn.coalesce('lockers.out_of_service_since', 'pick_up_points.out_of_service_since').as('out_of_service_since'),
    ])
}

function isFiltered(request: Request, type: ShipmentType | undefined): boolean {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, activeShipments, outOfService } = request
  const texts = [userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince]
  return [...texts, activeShipments, outOfService, readStates(request), type].some(Boolean)
}

function matchingShipments({ tx, tenantId }: Call, request: Request, type: ShipmentType | undefined) {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince } = request
  const codes = readStates(request)
  const since = readTime(updatedSince)
  let query = userUid
    ? tx.selectFrom('shipments').where(isOfUser(tenantId, userUid))
    : tx.selectFrom('shipments').where('shipments.tenant_id', '=', tenantId)
  if (type) query = query.where('shipments.shipment_type', '=', type)
  if (shipmentUid) query = query.where('shipments.shipment_uid', '=', hideFromPlanner(shipmentUid))
  if (bookedPupUid) query = query.where('shipments.pup_uid', '=', hideFromPlanner(bookedPupUid))
  if (referenceCaseNo) query = query.where('shipments.reference_case_no', '=', hideFromPlanner(referenceCaseNo))
  if (since !== undefined) query = query.where('shipments.updated_at', '>=', since)
  if (codes !== undefined) query = query.where('shipments.state_code', 'in', codes)
  if (request.activeShipments) query = query.where('shipments.state_code', 'in', activeStates)
  if (request.outOfService) query = query.where(isOutOfService(tenantId))
  return query
}

/** Names the tenant on both sides: beside them it would be searched by its index alone. */
function isOfUser(tenantId: string, userUid: string) {
  const uid = hideFromPlanner(userUid)
  return (eb: ExpressionBuilder<Tables, 'shipments'>) =>
    eb.or([
      eb.and([eb('shipments.tenant_id', '=', tenantId), eb('from_user_uid', '=', uid)]),
      eb.and([eb('shipments.tenant_id', '=', tenantId), eb('to_user_uid', '=', uid)]),
    ])
}

/**
 * Until the end of the transaction. If most shipments come from one dispatcher, PostgreSQL takes every user for one of many
 * shipments, and would scan all of them. It would also compile such a query.
 */
async function preferIndexes(tx: StoreTransaction): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(tx)
}

/**
 * Hides the value from PostgreSQL's planner: a plan chosen by global statistics would leak other tenants' data by
 * timing.
 */
function hideFromPlanner(value: string): RawBuilder<string> {
  return sql<string>`(select cast(${value} as text))`
}

function readStates({ shipmentState }: Request): readonly StateCode[] | undefined {
  if (shipmentState == null || shipmentState.length === 0) return undefined
  return shipmentState.map((text, index) => {
    const state = readStateCode(text)
    if (state !== undefined) return state
    throw new OperationError('InvalidRequest', `shipmentState[${index}] must be one of ${stateCodes.join(', ')}.`)
  })
}

export type ListedRow = Selectable<ShipmentRow> &
  Pick<Selectable<LockerRow>, 'out_of_service_reason' | 'out_of_service_since'> & {
    readonly locker_name: string | null
  }

export function toShipmentItem(row: ListedRow, codes: AccessCodes, objects: ShipmentItem['objects']): ShipmentItem {
  return {
    shipmentUid: row.shipment_uid,
    shipmentType: row.shipment_type,
    stateCode: row.state_code,
    stateStart: toUtcWithoutOffset(row.state_since),
    created: toUtcWithoutOffset(row.created_at),
    referenceNo: row.reference_no,
    referenceCaseNo: row.reference_case_no,
    description: row.description,
    fromUserUid: row.from_user_uid,
    toUserUid: row.to_user_uid,
    pupUid: row.pup_uid,
    lockerUid: row.locker_uid,
    lockerName: row.locker_name,
    ...codes,
    swapsShipmentUid: row.swaps_shipment_uid,
    priorShipmentUid: row.prior_shipment_uid,
    circularPriorShipmentUid: row.circular_prior_shipment_uid,
    keepBookedAfterPickUp: row.keep_booked === 1,
    outOfService: states[row.state_code].final ? null : toOutOfService(row),
    objects,
  }
}
