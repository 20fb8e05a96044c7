import { sql, type Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** Lockers of one size at a pick up point; sides in centimetres. */
export interface LockerSize {
  readonly width: number
  readonly height: number
  readonly length: number
  readonly total: number
  readonly free: number
}

/** Counts the total and the free lockers of each pick up point by size, smallest first. None out of service is free. */
export async function countLockersBySize(
  tx: Transaction<Tables>,
  pupUids: readonly string[],
): Promise<ReadonlyMap<string, readonly LockerSize[]>> {
  if (pupUids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('lockers')
    .select(eb => [
      'pup_uid',
      'width',
      'height',
      'length',
      eb.fn.countAll().as('total'),
      eb.fn.sum(sql<number>`(1 - booked) * (1 - closed)`).as('free'),
    ])
    .where('pup_uid', 'in', pupUids)
    .where('retired_at', 'is', null)
    .groupBy(['pup_uid', 'width', 'height', 'length', 'volume'])
    .orderBy('volume')
    .orderBy('width')
    .orderBy('height')
    .execute()
  const sizes = rows.map(({ total, free, ...size }) => ({ ...size, total: Number(total), free: Number(free) }))
  const byPoint = Map.groupBy(sizes, size => size.pup_uid)
  return new Map([...byPoint].map(([pupUid, group]) => [pupUid, group.map(({ pup_uid, ...size }) => size)]))
}
