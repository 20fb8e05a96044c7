import { type RawBuilder, type Selectable, sql } from 'kysely'
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
import type { LockerRow, ShipmentRow } from '../store/tables.ts'
import { findObjects } from './objects.ts'

type Request = ReadRequestOf<'GetShipments'>

/** Shipments of one call have the same creation time, so sort by `seq`. */
const sortColumns = {
  CreatedAsc: ['seq', 'asc'],
  CreatedDesc: ['seq', 'desc'],
  ActivityAsc: ['updated_at', 'asc'],
  ActivityDesc: ['updated_at', 'desc'],
} as const

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
  const matching = matchingShipments(call, request, type)
  const { total } = await matching.select(eb => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const page = toPage(request, Number(total))
  const [column, direction] = sortColumns[request.sortBy ?? 'CreatedAsc']
  const rows = await matching
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
    .orderBy(column, direction)
    .orderBy('seq', direction)
    .limit(request.pageSize)
    .offset(page.offset)
    .execute()
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
  return { items, ...page.count }
}

function matchingShipments({ tx, tenantId }: Call, request: Request, type: ShipmentType | undefined) {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince } = request
  const codes = readStates(request)
  const since = readTime(updatedSince)
  let query = tx.selectFrom('shipments').where('shipments.tenant_id', '=', tenantId)
  if (type) query = query.where('shipments.shipment_type', '=', type)
  if (shipmentUid) query = query.where('shipments.shipment_uid', '=', hideFromPlanner(shipmentUid))
  if (bookedPupUid) query = query.where('shipments.pup_uid', '=', hideFromPlanner(bookedPupUid))
  if (referenceCaseNo) query = query.where('shipments.reference_case_no', '=', hideFromPlanner(referenceCaseNo))
  if (since !== undefined) query = query.where('shipments.updated_at', '>=', since)
  if (codes !== undefined) query = query.where('shipments.state_code', 'in', codes)
  if (request.activeShipments) query = query.where('shipments.state_code', 'in', activeStates)
  if (userUid) {
    const uid = hideFromPlanner(userUid)
    query = query.where(eb => eb.or([eb('from_user_uid', '=', uid), eb('to_user_uid', '=', uid)]))
  }
  return query
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
