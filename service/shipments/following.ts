import type { Link } from '#machines'
import { type Call, Refusal } from '../operations/call.ts'
import { refuseFollowed } from './links.ts'
import { type Dimension, fits } from './lockers.ts'
import { type Details, makeShipment, type Shipment } from './make.ts'
import { type Party, userUidOf } from './parties.ts'

export interface Following {
  /** As the same transaction found or made it. */
  readonly prior: Shipment
  readonly link: Link
  readonly from: Party
  /** Null for nobody yet. */
  readonly to: Party | null
  /** May be issued from stock. */
  readonly stock: boolean
  /** Left out: that of the prior shipment. */
  readonly dimension?: Dimension
  readonly details: Details
  /** Where the caller says that this is; left out: where the prior shipment is. */
  readonly place?: Place
}

/** In the words of a request. */
export interface Place {
  readonly PupUid: string
  readonly LockerUid?: string | null | undefined
}

/**
 * Makes a shipment that comes after another one and shares its locker; in its first state it waits, unless its turn
 * has come already. Checked in this order: pick up point, users, state of the prior shipment, locker.
 * @throws Refusal InvalidPupUid, InvalidUserUid, InvalidShipmentState, InvalidLocker, InvalidDimension
 */
export async function bookAfter(call: Call, following: Following): Promise<Shipment> {
  const { prior, link, from, to, stock, dimension = prior, details, place } = following
  if (place !== undefined && place.PupUid !== prior.pup_uid) {
    throw new Refusal('InvalidPupUid', 'PupUid has to be the pick up point of the prior shipment')
  }
  const fromUserUid = await userUidOf(call, from)
  const toUserUid = to && (await userUidOf(call, to))
  await refuseFollowed(call, prior)
  const { locker_uid, pup_uid } = prior
  if (locker_uid === null) throw new Refusal('InvalidShipmentState', 'The prior shipment has no locker')
  if (place?.LockerUid != null && place.LockerUid !== locker_uid) {
    throw new Refusal('InvalidLocker', 'LockerUid has to be the locker of the prior shipment')
  }
  if (dimension !== prior && !(await fits(call.tx, locker_uid, dimension))) {
    throw new Refusal('InvalidDimension', 'Dimension has to fit the locker of the prior shipment, in some orientation')
  }
  const locker = { locker_uid, pup_uid }
  return makeShipment(call, { fromUserUid, toUserUid, stock, locker, dimension, details, after: { link, prior } })
}
