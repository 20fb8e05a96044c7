import { type Call, Refusal } from '../operations/call.ts'

/** Wrong codes at one locker before it locks. */
const allowed = 5
/** Milliseconds of the first lock; each further wrong code doubles it. */
const firstLock = 30_000
const longestLock = 3_600_000

/**
 * Keeps somebody from trying codes out at a locker.
 * @throws Refusal TooManyAttempts while the locker is locked
 */
export async function refuseLocked({ tx, now }: Call, lockerUid: string): Promise<void> {
  const attempts = await tx
    .selectFrom('attempts')
    .select('locked_until')
    .where('locker_uid', '=', lockerUid)
    .executeTakeFirst()
  if (attempts === undefined || attempts.locked_until <= now) return
  const retryAfter = Math.ceil((attempts.locked_until - now) / 1_000)
  throw new Refusal('TooManyAttempts', `Too many wrong pin codes at this locker; try again in ${retryAfter} s`, {
    retryAfter,
  })
}

/** Counts a wrong code; from the fifth on the locker is locked, for longer each time. */
export async function countWrongCode({ tx, now }: Call, lockerUid: string): Promise<void> {
  const { failures } = await tx
    .insertInto('attempts')
    .values({ locker_uid: lockerUid, failures: 1, locked_until: 0 })
    .onConflict(conflict =>
      conflict.column('locker_uid').doUpdateSet(eb => ({ failures: eb('attempts.failures', '+', 1) })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  if (failures < allowed) return
  const lock = Math.min(firstLock * 2 ** (failures - allowed), longestLock)
  await tx
    .updateTable('attempts')
    .set({ locked_until: now + lock })
    .where('locker_uid', '=', lockerUid)
    .execute()
}

/** A right code makes up for the wrong ones before it. */
export async function forgetWrongCodes({ tx }: Call, lockerUid: string): Promise<void> {
  await tx.deleteFrom('attempts').where('locker_uid', '=', lockerUid).execute()
}
