import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ReadRequestOf } from '#contract'
import { type StateCode, shipmentTypes } from '#contract/terms'
import { firstStateAfter, type Link } from '#machines'
import type { Call } from '../operations/call.ts'
import { queueCallback } from '../outbox/queue.ts'
import type { ShipmentRow } from '../store/tables.ts'
import { takeCodes } from './accessCodes.ts'
import type { Dimension, TakenLocker } from './lockers.ts'

export type Shipment = Selectable<ShipmentRow>
export type Details = ReadRequestOf<'CreateLocalShipmentAsStock'>['Details']

/** A booking for a collection only. */
export interface CollectOnly {
  /** Stays booked after a collection (KeepBookedAfterPickUp). */
  readonly kept: boolean
}

/** A shipment that is to be made: everything about it has been checked, and its locker is booked. */
export interface Draft {
  readonly fromUserUid: string
  /** Null for nobody yet. */
  readonly toUserUid: string | null
  /** May be issued from stock. */
  readonly stock: boolean
  readonly locker: TakenLocker
  readonly dimension: Dimension
  readonly details: Details
  /** Booked for a collection only: there is nothing to drop off. */
  readonly collectOnly?: CollectOnly | undefined
  /** The shipment that it comes after; with none it is ready for drop off. */
  readonly after?: { readonly link: Link; readonly prior: Shipment }
}

/** Makes a shipment; its first state is announced like any other. */
export async function makeShipment(call: Call, draft: Draft): Promise<Shipment> {
  const { locker, dimension, details, collectOnly, after } = draft
  const [pickUpCode, deliveryCode] = await codesOf(call, draft)
  const follows = (link: Link) => (after?.link === link ? after.prior.shipment_uid : null)
  const shipment = await call.tx
    .insertInto('shipments')
    .values({
      shipment_uid: randomUUID(),
      tenant_id: call.tenantId,
      shipment_type: collectOnly ? shipmentTypes.collectOnly : shipmentTypes.local,
      state_code: firstState(draft),
      state_start: call.now,
      created: call.now,
      activity: call.now,
      reference_no: details?.ReferenceNo ?? null,
      reference_case_no: details?.ReferenceCaseNo ?? null,
      description: details?.Description ?? null,
      from_user_uid: draft.fromUserUid,
      to_user_uid: draft.toUserUid,
      pup_uid: locker.pup_uid,
      locker_uid: locker.locker_uid,
      pick_up_code: pickUpCode,
      delivery_code: deliveryCode,
      width: dimension.width,
      height: dimension.height,
      length: dimension.length,
      swaps_shipment_uid: follows('swap'),
      prior_shipment_uid: follows('subsequent'),
      circular_prior_shipment_uid: follows('circular'),
      kept: collectOnly?.kept ? 1 : 0,
      stock: draft.stock ? 1 : 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await queueCallback(call, shipment)
  return shipment
}

function firstState({ collectOnly, after }: Draft): StateCode {
  if (collectOnly) return 'ReadyForPickup'
  return after ? firstStateAfter(after.link, after.prior.state_code) : 'ReadyForDropOff'
}

/**
 * The codes for pick up and delivery. One opening swaps two items, so one code opens it (specification, Shipment:
 * PickUpCode, DeliveryCode).
 */
async function codesOf({ tx }: Call, { after, locker }: Draft): Promise<[pickUp: string, delivery: string | null]> {
  const swapped = after?.link === 'swap' ? after.prior.pick_up_code : undefined
  const [pickUp = '', delivery = ''] = await takeCodes(tx, locker.pup_uid, swapped === undefined ? 2 : 1)
  return [pickUp, swapped === undefined ? delivery : swapped]
}
