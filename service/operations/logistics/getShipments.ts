import type { Selectable } from 'kysely'
import type { ReadRequestOf, ShipmentItem } from '#contract'
import { activeStates, readStateCode, type StateCode, stateCodes } from '#contract/terms'
import type { ShipmentRow } from '../../store/tables.ts'
import { zoneless } from '../../zoneless.ts'
import { type Call, type Handler, Refusal } from '../call.ts'
import { pageOf } from '../page.ts'

type Request = ReadRequestOf<'GetShipments'>

/** Shipments made in one call share their moment, so `seq` is what orders them. */
const orders = {
  CreatedAsc: ['seq', 'asc'],
  CreatedDesc: ['seq', 'desc'],
  ActivityAsc: ['activity', 'asc'],
  ActivityDesc: ['activity', 'desc'],
} as const

/** The shipments that the caller made; an empty or null filter is no filter, and all the others have to hold. */
export const GetShipments: Handler<'GetShipments'> = async (call, request) => {
  const matching = filtered(call, request)
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
  return { items: rows.map(itemOf), ...page.count }
}

function filtered({ tx, tenantId }: Call, request: Request) {
  const { userUid, bookedPupUid, shipmentUid, referenceCaseNo, updatedSince } = request
  const states = statesOf(request)
  let query = tx.selectFrom('shipments').where('shipments.tenant_id', '=', tenantId)
  if (shipmentUid) query = query.where('shipments.shipment_uid', '=', shipmentUid)
  if (bookedPupUid) query = query.where('shipments.pup_uid', '=', bookedPupUid)
  if (referenceCaseNo) query = query.where('shipments.reference_case_no', '=', referenceCaseNo)
  if (updatedSince) query = query.where('shipments.activity', '>=', millisOf(updatedSince))
  if (states !== undefined) query = query.where('shipments.state_code', 'in', states)
  if (request.activeShipments) query = query.where('shipments.state_code', 'in', activeStates)
  if (userUid) query = query.where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
  return query
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

type Row = Selectable<ShipmentRow> & { readonly locker_name: string | null }

function itemOf(row: Row): ShipmentItem {
  return {
    shipmentUid: row.shipment_uid,
    shipmentType: row.shipment_type,
    stateCode: row.state_code,
    stateStart: zoneless(row.state_start),
    created: zoneless(row.created),
    referenceNo: row.reference_no,
    referenceCaseNo: row.reference_case_no,
    description: row.description,
    fromUserUid: row.from_user_uid,
    toUserUid: row.to_user_uid,
    pupUid: row.pup_uid,
    lockerUid: row.locker_uid,
    lockerName: row.locker_name,
    pickUpCode: row.pick_up_code,
    deliveryCode: row.delivery_code,
    swapsShipmentUid: row.swaps_shipment_uid,
    priorShipmentUid: row.prior_shipment_uid,
    circularPriorShipmentUid: row.circular_prior_shipment_uid,
    keepBookedAfterPickUp: row.kept === 1,
    objects: [],
  }
}
