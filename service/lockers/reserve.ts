import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely'
import type { ReadRequestOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { lockModes } from '../store/locks.ts'
import type { Tables } from '../store/tables.ts'

/** Sides in centimetres. */
export type Dimension = ReadRequestOf<'CreateLocalShipmentAsStock'>['Dimension']

export interface ReservedLocker {
  readonly locker_uid: string
  readonly pup_uid: string
  readonly name: string
}

export type UnavailableReason = Extract<
  ErrorCode,
  'InvalidLocker' | 'LockerOutOfService' | 'InvalidDimension' | 'NoLockerAvailable'
>

type LockerFilter = (eb: ExpressionBuilder<Tables, 'lockers'>) => Expression<SqlBool>

/**
 * Reserves the smallest free locker of a pick up point that the item fits. Without `allowLarger`, only lockers of the
 * smallest fitting size count, whether free, booked or out of service.
 */
export async function reserveLocker(
  tx: Transaction<Tables>,
  pupUid: string,
  item: Dimension,
  allowLarger: boolean,
): Promise<ReservedLocker | UnavailableReason> {
  if (allowLarger)
    return (await reserveSmallest(tx, pupUid, itemFits(item))) ?? (await reasonUnavailable(tx, pupUid, item))
  const smallest = await findSmallestSize(tx, pupUid, item)
  if (smallest === undefined) return 'InvalidDimension'
  return (await reserveSmallest(tx, pupUid, eb => eb.and(smallest))) ?? 'NoLockerAvailable'
}

/** Distinguishes an item that fits no locker at all from one whose lockers are all booked. */
async function reasonUnavailable(tx: Transaction<Tables>, pupUid: string, item: Dimension): Promise<UnavailableReason> {
  return (await findSmallestSize(tx, pupUid, item)) === undefined ? 'InvalidDimension' : 'NoLockerAvailable'
}

function findSmallestSize(tx: Transaction<Tables>, pupUid: string, item: Dimension) {
  return tx
    .selectFrom('lockers')
    .select(['side_min', 'side_mid', 'side_max'])
    .where('pup_uid', '=', pupUid)
    .where('retired_at', 'is', null)
    .where(itemFits(item))
    .orderBy('volume')
    .orderBy('side_max')
    .orderBy('side_mid')
    .limit(1)
    .executeTakeFirst()
}

async function reserveSmallest(
  tx: Transaction<Tables>,
  pupUid: string,
  size: LockerFilter,
): Promise<ReservedLocker | undefined> {
  for (const lockMode of lockModes(tx)) {
    const free = tx
      .selectFrom('lockers')
      .select('locker_uid')
      .where('pup_uid', '=', pupUid)
      .where('booked', '=', 0)
      .where('closed', '=', 0)
      .where(size)
      .orderBy('volume')
      .orderBy('side_max')
      .orderBy('side_mid')
      .orderBy('position')
      .limit(1)
      .modifyEnd(lockMode)
    const reserved = await tx
      .updateTable('lockers')
      .set({ booked: 1 })
      .where('locker_uid', '=', free)
      .where('booked', '=', 0)
      .where('closed', '=', 0)
      .returning(['locker_uid', 'pup_uid', 'name'])
      .executeTakeFirst()
    if (reserved !== undefined) return reserved
  }
  return undefined
}

/** Reserves the requested locker, even if smaller ones are free. */
export async function reserveSpecificLocker(
  tx: Transaction<Tables>,
  pupUid: string,
  lockerUid: string,
  item: Dimension,
): Promise<ReservedLocker | UnavailableReason> {
  const requested = tx
    .selectFrom('lockers')
    .select('closed')
    .where('locker_uid', '=', lockerUid)
    .where('pup_uid', '=', pupUid)
    .where('retired_at', 'is', null)
  const found = await requested.executeTakeFirst()
  if (found === undefined) return 'InvalidLocker'
  if (found.closed === 1) return 'LockerOutOfService'
  if ((await requested.where(itemFits(item)).executeTakeFirst()) === undefined) return 'InvalidDimension'
  const reserved = await tx
    .updateTable('lockers')
    .set({ booked: 1 })
    .where('locker_uid', '=', lockerUid)
    .where('booked', '=', 0)
    .where('closed', '=', 0)
    .returning(['locker_uid', 'pup_uid', 'name'])
    .executeTakeFirst()
  return reserved ?? 'NoLockerAvailable'
}

/** True if the item fits the locker, free or booked. */
export async function lockerFits(tx: Transaction<Tables>, lockerUid: string, item: Dimension): Promise<boolean> {
  const locker = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where(itemFits(item))
    .executeTakeFirst()
  return locker !== undefined
}

/** Compares sorted sides, so that the item may be turned. */
function itemFits({ width, height, length }: Dimension): LockerFilter {
  const [shortest = 0, middle = 0, longest = 0] = [width, height, length].sort((a, b) => a - b)
  return eb => eb.and([eb('side_min', '>=', shortest), eb('side_mid', '>=', middle), eb('side_max', '>=', longest)])
}
