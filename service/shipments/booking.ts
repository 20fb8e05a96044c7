import { randomUUID } from 'node:crypto'
import type { ReadRequestOf } from '#contract'
import { shipmentTypes } from '#contract/terms'
import { type Call, Refusal } from '../operations/call.ts'
import { queueCallback } from '../outbox/queue.ts'
import { findPickUpPoint, pickUpPointOf } from '../pickUpPoints/index.ts'
import { takeCode } from './accessCodes.ts'
import { type NoLocker, type TakenLocker, takeLocker, takeThatLocker } from './lockers.ts'

type Request = ReadRequestOf<'CreateLocalShipmentAsStock'>

/** Who sends and receives; null for the dispatcher as the sender, and for nobody yet as the receiver. */
export interface Booking {
  readonly request: Request
  readonly fromUserUid: string | null
  readonly toUserUid: string | null
  /** May be issued from stock. */
  readonly stock: boolean
}

const sentences: Record<NoLocker, string> = {
  InvalidLocker: 'LockerUid has to be the uid of a locker of the pick up point in PupUid',
  InvalidDimension: 'Dimension has to fit a locker that may be booked, in some orientation',
  NoLockerAvailable: 'No locker of a fitting size is free; the Allow… flags or another PupUid may offer one',
}

/**
 * Books a locker and makes the shipment, which is ready for drop off; its first state is announced like any other.
 * Checked in this order: pick up point, users, locker (docs/decisions.md, Order of checks).
 * @returns the uid of the shipment
 * @throws Refusal InvalidPupUid, InvalidUserUid, InvalidLocker, InvalidDimension, NoLockerAvailable
 */
export async function book(call: Call, { request, fromUserUid, toUserUid, stock }: Booking): Promise<string> {
  const point = await pickUpPointOf(call, request.PupUid, 'PupUid')
  await checkUser(call, fromUserUid, 'FromUserUid')
  await checkUser(call, toUserUid, 'ToUserUid')
  const locker = await chooseLocker(call, request, point.overflow_pup_uid)
  const { Dimension: dimension, Details: details } = request
  const shipment = await call.tx
    .insertInto('shipments')
    .values({
      shipment_uid: randomUUID(),
      tenant_id: call.tenantId,
      shipment_type: shipmentTypes.local,
      state_code: 'ReadyForDropOff',
      state_start: call.now,
      created: call.now,
      activity: call.now,
      reference_no: details?.ReferenceNo ?? null,
      reference_case_no: details?.ReferenceCaseNo ?? null,
      description: details?.Description ?? null,
      from_user_uid: fromUserUid ?? (await dispatcherOf(call)),
      to_user_uid: toUserUid,
      pup_uid: locker.pup_uid,
      locker_uid: locker.locker_uid,
      pick_up_code: await takeCode(call.tx, locker.pup_uid),
      delivery_code: await takeCode(call.tx, locker.pup_uid),
      width: dimension.width,
      height: dimension.height,
      length: dimension.length,
      swaps_shipment_uid: null,
      prior_shipment_uid: null,
      circular_prior_shipment_uid: null,
      kept: 0,
      stock: stock ? 1 : 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await queueCallback(call, shipment)
  return shipment.shipment_uid
}

async function chooseLocker(call: Call, request: Request, overflowPupUid: string | null): Promise<TakenLocker> {
  const { PupUid: pupUid, LockerUid: lockerUid, Dimension: item, AllowLargerLockers: larger } = request
  const first =
    lockerUid == null
      ? await takeLocker(call.tx, pupUid, item, larger)
      : await takeThatLocker(call.tx, pupUid, lockerUid, item)
  if (typeof first !== 'string') return first
  if (first === 'NoLockerAvailable' && lockerUid == null && request.AllowOverflowLockers && overflowPupUid !== null) {
    // A point of somebody else's would give a shipment at a pick up point that the caller is told does not exist.
    const mine = await findPickUpPoint(call, overflowPupUid)
    const second = mine && (await takeLocker(call.tx, overflowPupUid, item, larger))
    if (second !== undefined && typeof second !== 'string') return second
  }
  throw new Refusal(first, sentences[first])
}

/** Any account may send and receive: accounts are shared, only looking up and changing them is barred. */
async function checkUser({ tx }: Call, userUid: string | null, field: string): Promise<void> {
  if (userUid === null) return
  const account = await tx.selectFrom('accounts').select('user_uid').where('user_uid', '=', userUid).executeTakeFirst()
  if (account === undefined) throw new Refusal('InvalidUserUid', `${field} has to be the uid of an account`)
}

async function dispatcherOf({ tx, tenantId }: Call): Promise<string> {
  const tenant = await tx
    .selectFrom('tenants')
    .select('dispatcher_user_uid')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return tenant.dispatcher_user_uid
}
