import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'

/** Wrong PINs until the locker is locked. */
const maxWrongPins = 5
/** Milliseconds; doubles with each further wrong PIN. */
const initialLock = 30_000
const maximumLock = 3_600_000

/** @throws OperationError TooManyAttempts while the locker is locked against PINs */
export async function assertNotLocked({ tx, now }: Call, lockerUid: string): Promise<void> {
  const attempts = await tx
    .selectFrom('pin_attempts')
    .select('lock_expires_at')
    .where('locker_uid', '=', lockerUid)
    .executeTakeFirst()
  if (attempts === undefined || attempts.lock_expires_at <= now) return
  const retryAfter = Math.ceil((attempts.lock_expires_at - now) / 1_000)
  throw new OperationError(
    'TooManyAttempts',
    `pinCode was wrong too often at this locker; try again in ${retryAfter} s.`,
    { retryAfter },
  )
}

/**
 * Counts the wrong PIN, although the call is refused.
 * @throws OperationError InvalidAccessCode
 */
export async function rejectPin(call: Call, lockerUid: string): Promise<never> {
  await recordWrongPin(call, lockerUid)
  throw new OperationError('InvalidAccessCode', 'pinCode must be a code that opens this locker now.', { commit: true })
}

async function recordWrongPin({ tx, now }: Call, lockerUid: string): Promise<void> {
  const { failures } = await tx
    .insertInto('pin_attempts')
    .values({ locker_uid: lockerUid, failures: 1, lock_expires_at: 0 })
    .onConflict(conflict =>
      conflict.column('locker_uid').doUpdateSet(eb => ({ failures: eb('pin_attempts.failures', '+', 1) })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  if (failures < maxWrongPins) return
  const lock = Math.min(initialLock * 2 ** (failures - maxWrongPins), maximumLock)
  await tx
    .updateTable('pin_attempts')
    .set({ lock_expires_at: now + lock })
    .where('locker_uid', '=', lockerUid)
    .execute()
}

export async function resetPinAttempts({ tx }: Call, lockerUid: string): Promise<void> {
  await tx.deleteFrom('pin_attempts').where('locker_uid', '=', lockerUid).execute()
}
