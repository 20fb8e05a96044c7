import { sql, type Transaction } from 'kysely'
import type { ReadRequestOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import {
  fits,
  freeLockers,
  hasSize,
  isFree,
  type LockerSearch,
  type Sides,
  smallestSize,
} from '../store/lockerChoice.ts'
import { lockModes } from '../store/locks.ts'
import { type KeptQuery, keepQuery } from '../store/statements.ts'
import type { Tables } from '../store/tables.ts'

// Reserves the locker of a booking in its transaction. The function of store/createShipments.ts reserves those of a batch;
// store/lockerChoice.ts has the filters and the order of both.

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
  const search = { pupUid, ...toSides(item) }
  if (allowLarger) return (await reserveFirst(tx, reserveFitting, search)) ?? (await reasonUnavailable(tx, search))
  const { rows } = await tx.executeQuery(findSmallestSize(tx, search))
  const [smallest] = rows
  if (smallest === undefined) return 'InvalidDimension'
  return (await reserveFirst(tx, reserveExact, { pupUid, ...smallest })) ?? 'NoLockerAvailable'
}

/** Distinguishes an item that fits no locker at all from one whose lockers are all booked. */
async function reasonUnavailable(tx: Transaction<Tables>, search: LockerSearch): Promise<UnavailableReason> {
  const { rows } = await tx.executeQuery(findSmallestSize(tx, search))
  return rows.length === 0 ? 'InvalidDimension' : 'NoLockerAvailable'
}

const findSmallestSize = keepQuery<LockerSearch, Sides>((db, search) => ({
  compile: () => smallestSize(search).compile(db),
}))

type ReserveQuery = KeptQuery<LockerSearch, ReservedLocker>

/** A query for each lock mode of the store. */
const [reserveFitting, reserveExact] = [keepReserve(fits), keepReserve(hasSize)]

function keepReserve(ofSize: typeof fits): readonly ReserveQuery[] {
  return [0, 1].map(mode =>
    keepQuery((db, search) => {
      const found = freeLockers(search, ofSize('free', search), sql.lit(1))
      return db
        .updateTable('lockers')
        .set({ booked: 1 })
        .where('locker_uid', '=', sql<string>`(${found} ${lockModes(db)[mode] ?? sql``})`)
        .where(isFree('lockers'))
        .returning(['locker_uid', 'pup_uid', 'name'])
    }),
  )
}

async function reserveFirst(
  tx: Transaction<Tables>,
  queries: readonly ReserveQuery[],
  search: LockerSearch,
): Promise<ReservedLocker | undefined> {
  for (const query of queries.slice(0, lockModes(tx).length)) {
    const { rows } = await tx.executeQuery(query(tx, search))
    if (rows[0] !== undefined) return rows[0]
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
  if ((await requested.where(fits('lockers', toSides(item))).executeTakeFirst()) === undefined)
    return 'InvalidDimension'
  const reserved = await tx
    .updateTable('lockers')
    .set({ booked: 1 })
    .where('locker_uid', '=', lockerUid)
    .where(isFree('lockers'))
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
    .where(fits('lockers', toSides(item)))
    .executeTakeFirst()
  return locker !== undefined
}

/** Sorted, so that the item may be turned. */
export function toSides({ width, height, length }: Dimension): Sides {
  const [side_min = 0, side_mid = 0, side_max = 0] = [width, height, length].sort((a, b) => a - b)
  return { side_min, side_mid, side_max }
}
