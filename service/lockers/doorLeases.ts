import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { Store } from '../store/index.ts'
import { databaseTime } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'

/** Milliseconds. A lease that ends later than this from now was made before the clock was set back, and has expired. */
const maximumLease = 60_000
/** Milliseconds that a lease outlasts the time limit of its door: the time to record the opening. */
const recordMargin = 10_000

/** Another request opens the door of this locker. The refused request can run again when the lease has ended. */
export class DoorInUse extends OperationError {
  readonly lockerUid: string

  constructor(lockerUid: string) {
    super('Unavailable', 'The locker is being opened by another request; try again.', { retryAfter: 1 })
    this.lockerUid = lockerUid
  }
}

/**
 * Throws while a request opens the door: neither the locker nor its shipments may change until the result is known.
 * @throws DoorInUse
 */
export async function assertDoorFree({ tx }: Pick<Call, 'tx'>, lockerUid: string | null): Promise<void> {
  if (lockerUid !== null && (await isDoorInUse(tx, lockerUid))) throw new DoorInUse(lockerUid)
}

/** Returns whether a request opens the door of this locker now. */
export async function isDoorInUse(db: Store, lockerUid: string): Promise<boolean> {
  const { rows } = await db.executeQuery(findLeased(db, { lockerUid, now: Date.now() }))
  return rows.length > 0
}

/** @property now is used on the embedded store only */
const findLeased = keepQuery((db, { lockerUid, now }: { readonly lockerUid: string; readonly now: number }) => {
  const time = databaseTime(db, () => now)
  return db
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where('door_lease_expires_at', '>', time)
    .where('door_lease_expires_at', '<=', sql<number>`${time} + ${sql.lit(maximumLease)}`)
})

/**
 * Leases the door, which is opened after the transaction. The lease ends by `endDoorLease`, or by itself after a crash.
 * The caller has checked in the same transaction that the door is free.
 * @param unlockTimeout time limit of the door in milliseconds
 * @returns the id of the lease
 */
export async function leaseDoor({ tx }: Pick<Call, 'tx'>, lockerUid: string, unlockTimeout: number): Promise<string> {
  const leaseId = randomUUID()
  const duration = Math.min(unlockTimeout + recordMargin, maximumLease)
  await tx
    .updateTable('lockers')
    .set({ door_lease_id: leaseId, door_lease_expires_at: sql<number>`${databaseTime(tx)} + ${sql.lit(duration)}` })
    .where('locker_uid', '=', lockerUid)
    .execute()
  return leaseId
}

/** Ends a lease and locks the locker's row. Returns false when the lease has expired and the door was leased again. */
export async function endDoorLease({ tx }: Pick<Call, 'tx'>, lockerUid: string, leaseId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('lockers')
    .set({ door_lease_id: null, door_lease_expires_at: null })
    .where('locker_uid', '=', lockerUid)
    .where('door_lease_id', '=', leaseId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
