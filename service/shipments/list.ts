import { type RawBuilder, sql } from 'kysely'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { activeStates, readStateCode, type ShipmentType, type StateCode, stateCodes } from '#contract/terms'
import { type Call, Refusal } from '../operations/call.ts'
import { pageOf } from '../operations/page.ts'
import { itemOf } from './item.ts'
import { objectsOf } from './objects.ts'

type Request = ReadRequestOf<'GetShipments'>

/** Shipments made in one call share their moment, so `seq` is what orders them. */
const orders = {
  CreatedAsc: ['seq', 'asc'],
  CreatedDesc: ['seq', 'desc'],
  ActivityAsc: ['activity', 'asc'],
  ActivityDesc: ['activity', 'desc'],
} as const

/**
 * The shipments that the caller made, of one type if one is given; an empty or null filter is no filter, and all the
 * others have to hold.
 * @throws Refusal InvalidRequest for a state that is none
 */
export async function listShipments(
  call: Call,
  request: Request,
  type?: ShipmentType,
): Promise<ResponseOf<'GetShipments'>> {
  const matching = filtered(call, request, type)
  const { total } = await matching.select(eb => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const page = pageOf(request, Number(total))
  const [column, direction] = orders[request.sortBy]
  const rows = await matching
    .leftJoin('lockers', 'lockers.locker_uid', 'shipments.locker_uid')
    .selectAll('shipments')
    .select('lockers.name as locker_name')
    .orderBy(column, direction)
    .orderBy('seq', direction)
    .limit(request.pageSize)
    .offset(page.offset)
    .execute()
  const objects = await objectsOf(
    call.tx,
    rows.map(row => row.shipment_uid),
  )
  const items = rows.map(row => itemOf(row, [...(objects.get(row.shipment_uid) ?? [])]))
  return { items, ...page.count }
}

function filtered({ tx, tenantId }: Call, request: Request, type: ShipmentType | undefined) {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince } = request
  const states = statesOf(request)
  let query = tx.selectFrom('shipments').where('shipments.tenant_id', '=', tenantId)
  if (type) query = query.where('shipments.shipment_type', '=', type)
  if (shipmentUid) query = query.where('shipments.shipment_uid', '=', unseen(shipmentUid))
  if (bookedPupUid) query = query.where('shipments.pup_uid', '=', unseen(bookedPupUid))
  if (referenceCaseNo) query = query.where('shipments.reference_case_no', '=', unseen(referenceCaseNo))
  if (updatedSince) query = query.where('shipments.activity', '>=', millisOf(updatedSince))
  if (states !== undefined) query = query.where('shipments.state_code', 'in', states)
  if (request.activeShipments) query = query.where('shipments.state_code', 'in', activeStates)
  if (userUid) {
    const uid = unseen(userUid)
    query = query.where(eb => eb.or([eb('from_user_uid', '=', uid), eb('to_user_uid', '=', uid)]))
  }
  return query
}

/**
 * A value that PostgreSQL does not plan by: its statistics know how common a value is among all tenants, and a slower
 * plan would tell the caller.
 */
function unseen(value: string): RawBuilder<string> {
  return sql<string>`(select cast(${value} as text))`
}

function statesOf({ shipmentState }: Request): readonly StateCode[] | undefined {
  if (shipmentState == null || shipmentState.length === 0) return undefined
  return shipmentState.map((text, index) => {
    const state = readStateCode(text)
    if (state !== undefined) return state
    throw new Refusal('InvalidRequest', `shipmentState[${index}] has to be one of ${stateCodes.join(', ')}`)
  })
}

/** A moment without an offset is meant in UTC. */
function millisOf(time: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
}
