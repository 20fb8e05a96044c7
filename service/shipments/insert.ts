import { randomUUID } from 'node:crypto'
import type { ReadRequestOf } from '#contract'
import { initialStateAfter } from '#contract/machines'
import { type Link, type StateCode, shipmentTypes } from '#contract/terms'
import type { Call } from '../call.ts'
import {
  type AccessCodes,
  allocateAccessCodes,
  type Dimension,
  encryptAccessCodes,
  type ReservedLocker,
  readAccessCodes,
} from '../lockers/index.ts'
import { enqueueCallback } from '../outbox/index.ts'
import { defer, keepQuery } from '../store/statements.ts'
import type { Shipment } from './load.ts'

export type ShipmentDetails = ReadRequestOf<'CreateLocalShipmentAsStock'>['Details']

export interface CollectOnly {
  /** The shipment stays booked after a pick up (KeepBookedAfterPickUp). */
  readonly keepBooked: boolean
}

/** A checked shipment with a reserved locker. */
export interface NewShipment {
  readonly fromUserUid: string
  /** The sender is the receiver of the prior shipment. */
  readonly senderDerived?: boolean
  /** Null until a receiver is assigned. */
  readonly toUserUid: string | null
  /** May be issued from stock. */
  readonly stock: boolean
  readonly locker: Pick<ReservedLocker, 'locker_uid' | 'pup_uid'>
  readonly dimension: Dimension
  readonly details: ShipmentDetails
  /** Set for a shipment without a drop off. */
  readonly collectOnly?: CollectOnly | undefined
  /** The caller's tenant, if it was read already. */
  readonly tenant?: Awaited<ReturnType<Call['tenant']>>
  /** A pick up code and a delivery code, if they are allocated already. */
  readonly codes?: readonly string[]
  /** The prior shipment of a linked one. */
  readonly after?: { readonly link: Link; readonly prior: Shipment }
}

/** Inserts a shipment, allocates its access codes and enqueues the callback of its initial state. */
export async function insertShipment(call: Call, newShipment: NewShipment): Promise<Shipment> {
  const [pickUpCode, deliveryCode] = await allocateCodes(call, newShipment)
  const shipment = toShipment(call, newShipment, { pickUpCode, deliveryCode })
  await defer(call.tx, insertRow(call.tx, shipment))
  const { tenant } = newShipment
  await enqueueCallback(tenant === undefined ? call : { ...call, tenant: async () => tenant }, shipment)
  return shipment
}

/** A new shipment as a row. */
export function toShipment(
  call: Pick<Call, 'tenantId' | 'now' | 'secrets'>,
  newShipment: NewShipment,
  codes: AccessCodes,
): Shipment {
  const { locker, dimension, details, collectOnly, after } = newShipment
  const shipment_uid = randomUUID()
  const priorUid = (link: Link) => (after?.link === link ? after.prior.shipment_uid : null)
  return {
    shipment_uid,
    tenant_id: call.tenantId,
    shipment_type: collectOnly ? shipmentTypes.collectOnly : shipmentTypes.local,
    state_code: initialState(newShipment),
    state_since: call.now,
    created_at: call.now,
    updated_at: call.now,
    reference_no: details?.ReferenceNo ?? null,
    reference_case_no: details?.ReferenceCaseNo ?? null,
    description: details?.Description ?? null,
    from_user_uid: newShipment.fromUserUid,
    to_user_uid: newShipment.toUserUid,
    pup_uid: locker.pup_uid,
    locker_uid: locker.locker_uid,
    pick_up_code: null,
    delivery_code: null,
    ...encryptAccessCodes(call, shipment_uid, codes),
    width: dimension.width,
    height: dimension.height,
    length: dimension.length,
    swaps_shipment_uid: priorUid('swap'),
    prior_shipment_uid: priorUid('subsequent'),
    circular_prior_shipment_uid: priorUid('circular'),
    keep_booked: collectOnly?.keepBooked ? 1 : 0,
    stock: newShipment.stock ? 1 : 0,
    sender_derived: newShipment.senderDerived ? 1 : 0,
  }
}

const insertRow = keepQuery((db, shipment: Shipment) =>
  db.insertInto('shipments').values({
    shipment_uid: shipment.shipment_uid,
    tenant_id: shipment.tenant_id,
    shipment_type: shipment.shipment_type,
    state_code: shipment.state_code,
    state_since: shipment.state_since,
    created_at: shipment.created_at,
    updated_at: shipment.updated_at,
    reference_no: shipment.reference_no,
    reference_case_no: shipment.reference_case_no,
    description: shipment.description,
    from_user_uid: shipment.from_user_uid,
    to_user_uid: shipment.to_user_uid,
    pup_uid: shipment.pup_uid,
    locker_uid: shipment.locker_uid,
    pick_up_code: shipment.pick_up_code,
    delivery_code: shipment.delivery_code,
    width: shipment.width,
    height: shipment.height,
    length: shipment.length,
    swaps_shipment_uid: shipment.swaps_shipment_uid,
    prior_shipment_uid: shipment.prior_shipment_uid,
    circular_prior_shipment_uid: shipment.circular_prior_shipment_uid,
    keep_booked: shipment.keep_booked,
    stock: shipment.stock,
    sender_derived: shipment.sender_derived,
  }),
)

function initialState({ collectOnly, after }: NewShipment): StateCode {
  if (collectOnly) return 'ReadyForPickup'
  return after ? initialStateAfter(after.link, after.prior.state_code) : 'ReadyForDropOff'
}

/**
 * The pick up code and the delivery code. In a swap one door opening covers both items, so the new shipment's delivery
 * code is the prior shipment's pick up code (specification, Shipment: PickUpCode, DeliveryCode).
 */
async function allocateCodes(
  call: Call,
  { after, locker, codes }: NewShipment,
): Promise<[pickUp: string, delivery: string | null]> {
  const swapped = after?.link === 'swap' ? readAccessCodes(call, after.prior).pickUpCode : undefined
  const count = swapped === undefined ? 2 : 1
  const [pickUp = '', delivery = ''] = codes ?? (await allocateAccessCodes(call, locker.pup_uid, count))
  return [pickUp, swapped === undefined ? delivery : swapped]
}
