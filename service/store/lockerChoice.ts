import { type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

// How a locker is chosen. Two roads reserve one, and both are built from this file: the query of lockers/reserve.ts, and the function
// of PostgreSQL that books a batch (createShipments.ts).

type Column = keyof Tables['lockers']

const sides = ['side_min', 'side_mid', 'side_max'] as const satisfies readonly Column[]
const free = { booked: 0, closed: 0 } as const satisfies Partial<Record<Column, number>>
/** The smallest size first, and of one size the first position. */
const sizeOrder = ['volume', 'side_max', 'side_mid'] as const satisfies readonly Column[]
const lockerOrder = [...sizeOrder, 'position'] as const satisfies readonly Column[]

/** The sorted sides of an item or of a locker in centimetres, or the expressions of them. */
export type Sides<Side = number> = Readonly<Record<(typeof sides)[number], Side>>

/** An item and the pick up point where it needs a locker, or the expressions of them. */
export type LockerSearch<Text = string, Side = number> = Sides<Side> & { readonly pupUid: Text }

type Search = LockerSearch<unknown, unknown>
type Condition = RawBuilder<boolean>

/** True for a locker that can be booked now. */
export function isFree(locker: string): Condition {
  return all(Object.entries(free).map(([column, value]) => sql`${of(locker, column)} = ${sql.lit(value)}`))
}

/** True for a locker that takes the item. */
export function fits(locker: string, item: Sides<unknown>): Condition {
  return all(sides.map(side => sql`${of(locker, side)} >= ${item[side]}`))
}

/** True for a locker of this size. */
export function hasSize(locker: string, size: Sides<unknown>): Condition {
  return all(sides.map(side => sql`${of(locker, side)} = ${size[side]}`))
}

/** True for a locker of the smallest size that takes the item, in one query. */
export function hasSmallestSize(locker: string, search: Search): Condition {
  return sql`(${list(locker, sides)}) = (${smallestSize(search)})`
}

/** The sides of the smallest locker that takes the item, whether it is free or not. */
export function smallestSize(search: Search): RawBuilder<Sides> {
  return sql`select ${list('size', sides)} from lockers as size
    where size.pup_uid = ${search.pupUid} and size.retired_at is null and ${fits('size', search)}
    order by ${list('size', sizeOrder)} limit 1`
}

/** The free lockers of a size, the best one first. The alias of a locker is `free`. */
export function freeLockers({ pupUid }: Pick<Search, 'pupUid'>, ofSize: Condition, limit: unknown): RawBuilder<string> {
  return sql`select free.locker_uid from lockers as free
    where free.pup_uid = ${pupUid} and ${isFree('free')} and ${ofSize}
    order by ${list('free', lockerOrder)} limit ${limit}`
}

function of(locker: string, column: string): RawBuilder<unknown> {
  return sql.ref(`${locker}.${column}`)
}

function list(locker: string, columns: readonly Column[]): RawBuilder<unknown> {
  return sql.join(columns.map(column => of(locker, column)))
}

function all(conditions: readonly RawBuilder<unknown>[]): Condition {
  return sql.join(conditions, sql` and `) as Condition
}
