import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely'
import type { ReadRequestOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { takingEndings } from '../store/rowLocks.ts'
import type { Tables } from '../store/tables.ts'

/** Sides in centimetres. */
export type Dimension = ReadRequestOf<'CreateLocalShipmentAsStock'>['Dimension']

export interface TakenLocker {
  readonly locker_uid: string
  readonly pup_uid: string
}

/** Why no locker was taken. */
export type NoLocker = Extract<ErrorCode, 'InvalidLocker' | 'InvalidDimension' | 'NoLockerAvailable'>

type Fits = (eb: ExpressionBuilder<Tables, 'lockers'>) => Expression<SqlBool>

/** Books the smallest free locker of a pick up point that the item fits; without `allowLarger` of the smallest size only. */
export async function takeLocker(
  tx: Transaction<Tables>,
  pupUid: string,
  item: Dimension,
  allowLarger: boolean,
): Promise<TakenLocker | NoLocker> {
  if (allowLarger) return (await takeFree(tx, pupUid, holds(item))) ?? (await whyNone(tx, pupUid, item))
  const smallest = await smallestSize(tx, pupUid, item)
  if (smallest === undefined) return 'InvalidDimension'
  return (await takeFree(tx, pupUid, eb => eb.and(smallest))) ?? 'NoLockerAvailable'
}

/** An item that fits no locker of the pick up point, free or not, will never find one. */
async function whyNone(tx: Transaction<Tables>, pupUid: string, item: Dimension): Promise<NoLocker> {
  return (await smallestSize(tx, pupUid, item)) === undefined ? 'InvalidDimension' : 'NoLockerAvailable'
}

function smallestSize(tx: Transaction<Tables>, pupUid: string, item: Dimension) {
  return tx
    .selectFrom('lockers')
    .select(['shortest', 'middle', 'longest'])
    .where('pup_uid', '=', pupUid)
    .where(holds(item))
    .orderBy('volume')
    .orderBy('longest')
    .orderBy('middle')
    .limit(1)
    .executeTakeFirst()
}

async function takeFree(tx: Transaction<Tables>, pupUid: string, size: Fits): Promise<TakenLocker | undefined> {
  for (const ending of takingEndings(tx)) {
    const free = tx
      .selectFrom('lockers')
      .select('locker_uid')
      .where('pup_uid', '=', pupUid)
      .where('booked', '=', 0)
      .where(size)
      .orderBy('volume')
      .orderBy('longest')
      .orderBy('middle')
      .orderBy('position')
      .limit(1)
      .modifyEnd(ending)
    const taken = await tx
      .updateTable('lockers')
      .set({ booked: 1 })
      .where('locker_uid', '=', free)
      .where('booked', '=', 0)
      .returning(['locker_uid', 'pup_uid'])
      .executeTakeFirst()
    if (taken !== undefined) return taken
  }
  return undefined
}

/** Books that very locker, whatever lockers are smaller. */
export async function takeThatLocker(
  tx: Transaction<Tables>,
  pupUid: string,
  lockerUid: string,
  item: Dimension,
): Promise<TakenLocker | NoLocker> {
  const theLocker = tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where('pup_uid', '=', pupUid)
  if ((await theLocker.executeTakeFirst()) === undefined) return 'InvalidLocker'
  if ((await theLocker.where(holds(item)).executeTakeFirst()) === undefined) return 'InvalidDimension'
  const taken = await tx
    .updateTable('lockers')
    .set({ booked: 1 })
    .where('locker_uid', '=', lockerUid)
    .where('booked', '=', 0)
    .returning(['locker_uid', 'pup_uid'])
    .executeTakeFirst()
  return taken ?? 'NoLockerAvailable'
}

/** Whether an item fits a locker, free or not. */
export async function fits(tx: Transaction<Tables>, lockerUid: string, item: Dimension): Promise<boolean> {
  const locker = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where(holds(item))
    .executeTakeFirst()
  return locker !== undefined
}

/** In some orientation: the sorted sides of the item against the sorted sides of the locker. */
function holds({ width, height, length }: Dimension): Fits {
  const [shortest = 0, middle = 0, longest = 0] = [width, height, length].sort((one, other) => one - other)
  return eb => eb.and([eb('shortest', '>=', shortest), eb('middle', '>=', middle), eb('longest', '>=', longest)])
}
