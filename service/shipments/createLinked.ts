import type { Link } from '#contract/terms'
import type { Call } from '../call.ts'
import { assertTakesBookings, type Dimension, lockerFits } from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import { isReceiver, type Party, resolveParty } from './create.ts'
import { insertShipment, type ShipmentDetails } from './insert.ts'
import { assertCanBeFollowed } from './links.ts'
import type { Shipment } from './load.ts'

export interface LinkedShipmentRequest {
  /** Locked, or created in the same transaction. */
  readonly prior: Shipment
  readonly link: Link
  readonly from: Party
  /** Null until a receiver is assigned. */
  readonly to: Party | null
  /** May be issued from stock. */
  readonly stock: boolean
  /** Defaults to the dimension of the prior shipment. */
  readonly dimension?: Dimension
  readonly details: ShipmentDetails
  /** The location in the request; if set, it must match the prior shipment's. */
  readonly requestedLocation?: RequestedLocation
}

export interface RequestedLocation {
  readonly PupUid: string
  readonly LockerUid?: string | null | undefined
}

/**
 * Creates a shipment that follows another one and shares its locker. Its initial state depends on the link and on the
 * prior shipment's state. Order of checks: pick up point, users, state of the prior shipment, locker.
 * @throws OperationError InvalidPupUid, InvalidUserUid, InvalidShipmentState, ChainTooLong, InvalidLocker, LockerOutOfService,
 *   InvalidDimension
 */
export async function createLinkedShipment(call: Call, linked: LinkedShipmentRequest): Promise<Shipment> {
  const { prior, link, from, to, stock, dimension = prior, details, requestedLocation } = linked
  if (requestedLocation !== undefined && requestedLocation.PupUid !== prior.pup_uid) {
    throw new OperationError('InvalidPupUid', 'PupUid must be the pick up point of the prior shipment.')
  }
  const fromUserUid = await resolveParty(call, from)
  const toUserUid = to && (await resolveParty(call, to))
  await assertCanBeFollowed(call, prior)
  const { locker_uid, pup_uid } = prior
  if (locker_uid === null) throw new OperationError('InvalidShipmentState', 'The prior shipment has no locker.')
  if (requestedLocation?.LockerUid != null && requestedLocation.LockerUid !== locker_uid) {
    throw new OperationError('InvalidLocker', 'LockerUid must be the locker of the prior shipment.')
  }
  await assertTakesBookings(call, locker_uid)
  if (dimension !== prior && !(await lockerFits(call.tx, locker_uid, dimension))) {
    throw new OperationError(
      'InvalidDimension',
      'Dimension must fit the locker of the prior shipment, in some orientation.',
    )
  }
  const locker = { locker_uid, pup_uid }
  return insertShipment(call, {
    fromUserUid,
    senderDerived: isReceiver(from),
    toUserUid,
    stock,
    locker,
    dimension,
    details,
    after: { link, prior },
  })
}
