import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { ReadRequestOf } from '#contract'
import { activeStates, readStateCode, readTime, type ShipmentType, type StateCode, stateCodes } from '#contract/terms'
import type { Call } from '../call.ts'
import type { Tables } from '../store/tables.ts'
import type { CountedShipments } from './countTables.ts'

/** The request of a list: its filters, its order and its page. */
export type ListRequest = ReadRequestOf<'GetShipments'>

export function isFiltered(request: ListRequest, type: ShipmentType | undefined): boolean {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, activeShipments, outOfService } = request
  const texts = [userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince]
  return [...texts, activeShipments, outOfService, readStates(request), type].some(Boolean)
}

/** True for a list without a filter, or of some states: a tenant may have a million of such shipments. */
export function hasManyMatches(request: ListRequest): boolean {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, outOfService } = request
  return ![userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince, outOfService].some(Boolean)
}

export function toCounted({ tenantId }: Call, request: ListRequest, type: ShipmentType | undefined): CountedShipments {
  const states = readStates(request) ?? stateCodes
  return {
    tenantId,
    states: request.activeShipments ? states.filter(state => activeStates.includes(state)) : states,
    type,
  }
}

/** Selects the shipments that pass all filters of a request. */
export function matchingShipments({ tx, tenantId }: Call, request: ListRequest, type: ShipmentType | undefined) {
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

/** Each branch names the tenant. With one condition besides the `or`, the index of the tenant alone would be searched. */
function isOfUser(tenantId: string, userUid: string) {
  const uid = hideFromPlanner(userUid)
  return (eb: ExpressionBuilder<Tables, 'shipments'>) =>
    eb.or([
      eb.and([eb('shipments.tenant_id', '=', tenantId), eb('from_user_uid', '=', uid)]),
      eb.and([eb('shipments.tenant_id', '=', tenantId), eb('to_user_uid', '=', uid)]),
    ])
}

/**
 * Hides the value from PostgreSQL's planner: a plan chosen by global statistics would leak other tenants' data by
 * timing.
 */
export function hideFromPlanner(value: string): RawBuilder<string> {
  return sql<string>`(select cast(${value} as text))`
}

function readStates({ shipmentState }: ListRequest): readonly StateCode[] | undefined {
  if (shipmentState == null || shipmentState.length === 0) return undefined
  // A state that is named twice counts once.
  return [...new Set(shipmentState.flatMap(text => readStateCode(text) ?? []))]
}

/**
 * Matches the active shipments of a tenant whose locker or pick up point is out of service. It begins with the few lockers and
 * pick up points that are, so its cost does not grow with the number of shipments.
 */
function isOutOfService(tenantId: string) {
  return (eb: ExpressionBuilder<Tables, 'shipments'>) => {
    const own = eb.selectFrom('shipments as own').select('own.seq').where('own.tenant_id', '=', tenantId)
    const lockers = eb.selectFrom('lockers').select('lockers.locker_uid').where('out_of_service_since', 'is not', null)
    const points = eb
      .selectFrom('pick_up_points')
      .select('pick_up_points.pup_uid')
      .where('out_of_service_since', 'is not', null)
    return eb.and([
      eb('shipments.state_code', 'in', activeStates),
      eb(
        'shipments.seq',
        'in',
        own.where('own.locker_uid', 'in', lockers).union(own.where('own.pup_uid', 'in', points)),
      ),
    ])
  }
}
