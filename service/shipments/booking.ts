import type { ReadRequestOf } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import { findPickUpPoint, pickUpPointOf } from '../pickUpPoints/index.ts'
import { type NoLocker, type TakenLocker, takeLocker, takeThatLocker } from './lockers.ts'
import { type CollectOnly, makeShipment, type Shipment } from './make.ts'
import { type Party, userUidOf } from './parties.ts'

type Request = ReadRequestOf<'CreateLocalShipmentAsStock'>

export interface Booking {
  readonly request: Request
  readonly from: Party
  /** Null for nobody yet. */
  readonly to: Party | null
  /** May be issued from stock. */
  readonly stock: boolean
  /** Left out: for a drop off and a pick up. */
  readonly collectOnly?: CollectOnly
}

const sentences: Record<NoLocker, string> = {
  InvalidLocker: 'LockerUid has to be the uid of a locker of the pick up point in PupUid',
  InvalidDimension: 'Dimension has to fit a locker that may be booked, in some orientation',
  NoLockerAvailable: 'No locker of a fitting size is free; the Allow… flags or another PupUid may offer one',
}

/**
 * Books a locker and makes the shipment, which is ready for drop off, or for pick up when it is collect only.
 * Checked in this order: pick up point, users, locker (docs/decisions.md, Order of checks).
 * @throws Refusal InvalidPupUid, InvalidUserUid, InvalidLocker, InvalidDimension, NoLockerAvailable
 */
export async function book(call: Call, { request, from, to, stock, collectOnly }: Booking): Promise<Shipment> {
  const point = await pickUpPointOf(call, request.PupUid, 'PupUid')
  const fromUserUid = await userUidOf(call, from)
  const toUserUid = to && (await userUidOf(call, to))
  const locker = await chooseLocker(call, request, point.overflow_pup_uid)
  const { Dimension: dimension, Details: details } = request
  return makeShipment(call, { fromUserUid, toUserUid, stock, locker, dimension, details, collectOnly })
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
