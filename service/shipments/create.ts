import type { ReadRequestOf } from '#contract'
import type { Call } from '../call.ts'
import {
  type ReservedLocker,
  reserveLocker,
  reserveSpecificLocker,
  startAccessCodes,
  type UnavailableReason,
} from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import { findBookingPlace, findPickUpPoint, unknownPickUpPoint } from '../pickUpPoints/index.ts'
import { forKeyShare } from '../store/locks.ts'
import { executeTogether, keepQuery } from '../store/statements.ts'
import type { TenantRow } from '../store/tables.ts'
import { type CollectOnly, insertShipment } from './insert.ts'
import type { BookedShipment, Shipment } from './load.ts'

type Request = ReadRequestOf<'CreateLocalShipmentAsStock'>

/**
 * The sender or receiver of a shipment: the dispatcher's main account, the account in a field of the request, or the
 * receiver of another shipment. A shipment without a receiver stands for the dispatcher.
 */
export type Party = 'dispatcher' | User | { readonly receiverOf: Pick<Shipment, 'to_user_uid'> }

/** An account, and the request's field that named it. */
interface User {
  readonly userUid: string
  readonly field: string
}

export interface ShipmentRequest {
  readonly request: Request
  readonly from: Party
  /** Null until a receiver is assigned. */
  readonly to: Party | null
  /** May be issued from stock. */
  readonly stock: boolean
  /** Set for a shipment without a drop off. */
  readonly collectOnly?: CollectOnly
}

const unavailableMessages: Record<UnavailableReason, string> = {
  InvalidLocker: 'LockerUid must be the uid of a locker of the pick up point in PupUid.',
  LockerOutOfService: 'LockerUid must be the uid of a locker in service, at a pick up point in service.',
  InvalidDimension: 'Dimension must fit a locker that the request allows, in some orientation.',
  NoLockerAvailable:
    'PupUid has no free locker of a fitting size in service; AllowLargerLockers, AllowOverflowLockers or another PupUid may help.',
}

/** For a request with a LockerUid, where neither larger lockers nor the overflow helps. */
const namedLockerMessages: typeof unavailableMessages = {
  ...unavailableMessages,
  NoLockerAvailable: 'LockerUid must be the uid of a free locker; leave it out or name another one.',
}

/**
 * Reserves a locker and creates a shipment in ReadyForDropOff, or in ReadyForPickup if it is collect-only.
 * Order of checks: pick up point, users, locker.
 * @throws OperationError InvalidPupUid, InvalidUserUid, InvalidLocker, LockerOutOfService, InvalidDimension,
 *   NoLockerAvailable
 */
export async function createShipment(
  call: Call,
  { request, from, to, stock, collectOnly }: ShipmentRequest,
): Promise<BookedShipment> {
  const { tx, tenantId } = call
  const { Dimension: dimension, Details: details, PupUid: pupUid } = request
  const users = [from, to].filter(isUser)
  const [[place], ...accounts] = await executeTogether(
    tx,
    findBookingPlace(tx, { tenantId, pupUid }),
    ...users.map(({ userUid }) => findAccount(tx, { userUid })),
  )
  if (place === undefined) throw unknownPickUpPoint('PupUid')
  for (const [at, user] of users.entries()) if (accounts[at]?.length === 0) throw unknownUser(user)
  const finishCodes = await startAccessCodes(call, pupUid, 2)
  const locker = await reserveRequestedLocker(call, request, place.overflow_pup_uid)
  const shipment = await insertShipment(call, {
    fromUserUid: uidOf(from, place),
    toUserUid: to && uidOf(to, place),
    stock,
    locker,
    dimension,
    details,
    collectOnly,
    codes: await finishCodes(locker.pup_uid),
    tenant: place,
  })
  return { ...shipment, locker_name: locker.name }
}

async function reserveRequestedLocker(
  call: Call,
  request: Request,
  overflowPupUid: string | null,
): Promise<ReservedLocker> {
  const { PupUid: pupUid, LockerUid: lockerUid, Dimension: item, AllowLargerLockers: larger } = request
  const first =
    lockerUid == null
      ? await reserveLocker(call.tx, pupUid, item, larger)
      : await reserveSpecificLocker(call.tx, pupUid, lockerUid, item)
  if (typeof first !== 'string') return first
  if (lockerUid != null) throw unavailable(first, namedLockerMessages)
  if (!request.AllowOverflowLockers || overflowPupUid === null) throw unavailable(first)
  // The overflow pick up point may belong to other tenants, and the caller must not learn that it exists.
  const overflow = await findPickUpPoint(call, overflowPupUid)
  const second = overflow ? await reserveLocker(call.tx, overflowPupUid, item, larger) : first
  if (typeof second !== 'string') return second
  throw unavailable(first === 'InvalidDimension' ? second : first)
}

function unavailable(reason: UnavailableReason, messages = unavailableMessages): OperationError {
  return new OperationError(reason, messages[reason])
}

/** True for an account that the request names. */
export function isUser(party: Party | null): party is User {
  return party !== null && party !== 'dispatcher' && 'userUid' in party
}

/** True for a party that stands for the receiver of another shipment. */
export function isReceiver(party: Party): boolean {
  return party !== 'dispatcher' && 'receiverOf' in party
}

/** The account uid of a party. */
export function uidOf(
  party: Party,
  { dispatcher_user_uid: dispatcher }: Pick<TenantRow, 'dispatcher_user_uid'>,
): string {
  if (isUser(party)) return party.userUid
  return party === 'dispatcher' ? dispatcher : (party.receiverOf.to_user_uid ?? dispatcher)
}

/**
 * Returns the account uid of a party. Accounts are shared between tenants, so any account is allowed; only reading and
 * changing an account is restricted.
 * @throws OperationError InvalidUserUid
 */
export async function resolveParty({ tx, tenant }: Call, party: Party): Promise<string> {
  if (!isUser(party)) return uidOf(party, await tenant())
  const { rows } = await tx.executeQuery(findAccount(tx, party))
  if (rows.length === 0) throw unknownUser(party)
  return party.userUid
}

/** Prevents the removal of the account until the shipment is stored. Dispatcher accounts cannot be removed. */
const findAccount = keepQuery((db, { userUid }: Pick<User, 'userUid'>) =>
  db.selectFrom('accounts').select('user_uid').where('user_uid', '=', userUid).modifyEnd(forKeyShare(db)),
)

function unknownUser({ field }: User): OperationError {
  return new OperationError('InvalidUserUid', `${field} must be the uid of an account.`)
}
