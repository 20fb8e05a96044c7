import type { DoorState } from '#contract'
import type { Store, StoreTransaction } from '../store/index.ts'
import { forNoKeyUpdate } from '../store/locks.ts'

/** The report of an adapter about a door: an event, or its present state. */
export interface DoorReport {
  readonly pupUid: string
  readonly lockerUid: string
  readonly state: DoorState
  /** The number of the event, or of the last event before the state was read. */
  readonly sequence: number
  /** The request that opened the door. */
  readonly openId?: string | null | undefined
  readonly reason?: string | null | undefined
}

export type RecordedReport =
  /** `openedLate`: the caller of that opening has received UnlockFailed. */
  | { readonly outcome: 'recorded'; readonly openedLate: boolean }
  /** A report with this sequence or a later one was recorded before. */
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'unknownLocker' }

/** Records the event of a door unless a later one is recorded. It changes no shipment. */
export async function recordDoorEvent(
  tx: StoreTransaction,
  { pupUid, lockerUid, state, sequence, openId = null, reason = null }: DoorReport,
  now: number,
): Promise<RecordedReport> {
  const locker = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where('pup_uid', '=', pupUid)
    .executeTakeFirst()
  if (locker === undefined) return { outcome: 'unknownLocker' }
  const columns = { state, sequence, reported_at: now, reason }
  const recorded = await tx
    .insertInto('locker_doors')
    .values({ locker_uid: lockerUid, ...columns, open_id: openId, failed_open_id: null })
    .onConflict(conflict =>
      conflict
        .column('locker_uid')
        .doUpdateSet(eb => ({
          ...columns,
          open_id: eb.fn.coalesce('excluded.open_id', 'locker_doors.open_id'),
        }))
        .where('locker_doors.sequence', '<', sequence),
    )
    .returning('failed_open_id')
    .executeTakeFirst()
  if (recorded === undefined) return { outcome: 'repeated' }
  return { outcome: 'recorded', openedLate: openId !== null && recorded.failed_open_id === openId }
}

/**
 * Records the state that a door has now, unless an event that is later than the report is recorded. It leaves the
 * sequence alone, so that an event that is still on its way is recorded too.
 * @returns whether it was recorded
 */
export async function recordDoorState(
  tx: StoreTransaction,
  { lockerUid, state, sequence, reason = null }: Omit<DoorReport, 'openId'>,
  now: number,
): Promise<boolean> {
  const columns = { state, reported_at: now, reason }
  const recorded = await tx
    .insertInto('locker_doors')
    .values({ locker_uid: lockerUid, ...columns, sequence: 0, open_id: null, failed_open_id: null })
    .onConflict(conflict =>
      conflict.column('locker_uid').doUpdateSet(columns).where('locker_doors.sequence', '<=', sequence),
    )
    .returning('locker_uid')
    .executeTakeFirst()
  return recorded !== undefined
}

/**
 * Records that a door did not open in time, unless an event of the adapter has reported that it did.
 * The row of the door orders the two, so that a door that opens is either counted here or reported as late.
 * @returns whether the door opened
 */
export async function settleFailedOpening(tx: StoreTransaction, lockerUid: string, openId: string): Promise<boolean> {
  const { open_id } = await tx
    .insertInto('locker_doors')
    .values({
      locker_uid: lockerUid,
      state: 'unknown',
      sequence: 0,
      reported_at: null,
      reason: null,
      open_id: null,
      failed_open_id: openId,
    })
    .onConflict(conflict => conflict.column('locker_uid').doUpdateSet({ failed_open_id: openId }))
    .returning('open_id')
    .executeTakeFirstOrThrow()
  return open_id === openId
}

/** Returns whether the door is recorded as broken. The lock orders a report that follows with those of other processes. */
export async function isBroken(tx: StoreTransaction, lockerUid: string): Promise<boolean> {
  const door = await tx
    .selectFrom('locker_doors')
    .select('state')
    .where('locker_uid', '=', lockerUid)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirst()
  return door?.state === 'broken'
}

/** The number of doors in each state that an adapter has reported. */
export async function countDoorStates(store: Store): Promise<ReadonlyMap<string, number>> {
  const rows = await store
    .selectFrom('locker_doors')
    .select(eb => ['state', eb.fn.countAll<number>().as('doors')])
    .where('reported_at', 'is not', null)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, doors }) => [state, Number(doors)]))
}
