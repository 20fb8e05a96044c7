import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { keepQuery } from '../store/statements.ts'

/** Wrong PINs of a tenant at a locker until it is locked for that tenant, so that no tenant locks others out. */
const maxWrongPins = 5
/** Milliseconds; doubles with each further wrong PIN. */
const initialLock = 30_000
const maximumLock = 3_600_000

/** @throws OperationError TooManyAttempts while the locker is locked against PINs of the caller's tenant */
export async function assertNotLocked({ tx, tenantId, now }: Call, lockerUid: string): Promise<void> {
  const { rows } = await tx.executeQuery(findLock(tx, { tenantId, lockerUid }))
  const [attempts] = rows
  if (attempts === undefined || attempts.lock_expires_at <= now) return
  // A lock that ends later than any possible one is from before the clock was set back, and has expired.
  if (attempts.lock_expires_at > now + maximumLock) return
  const retryAfter = Math.ceil((attempts.lock_expires_at - now) / 1_000)
  throw new OperationError(
    'TooManyAttempts',
    `pinCode was wrong too often at this locker; try again in ${retryAfter} s.`,
    { retryAfter },
  )
}

interface TenantAtLocker {
  readonly tenantId: string
  readonly lockerUid: string
}

const findLock = keepQuery((db, { tenantId, lockerUid }: TenantAtLocker) =>
  db
    .selectFrom('pin_attempts')
    .select('lock_expires_at')
    .where('tenant_id', '=', tenantId)
    .where('locker_uid', '=', lockerUid),
)

/**
 * Counts the wrong PIN, although the call is refused.
 * @throws OperationError InvalidAccessCode
 */
export async function rejectPin(call: Call, lockerUid: string): Promise<never> {
  await recordWrongPin(call, lockerUid)
  throw new OperationError('InvalidAccessCode', 'pinCode must be a code that opens this locker now.', { commit: true })
}

async function recordWrongPin({ tx, tenantId, now }: Call, lockerUid: string): Promise<void> {
  const { failures } = await tx
    .insertInto('pin_attempts')
    .values({ tenant_id: tenantId, locker_uid: lockerUid, failures: 1, lock_expires_at: 0 })
    .onConflict(conflict =>
      conflict
        .columns(['tenant_id', 'locker_uid'])
        .doUpdateSet(eb => ({ failures: eb('pin_attempts.failures', '+', 1) })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  if (failures < maxWrongPins) return
  const lock = Math.min(initialLock * 2 ** (failures - maxWrongPins), maximumLock)
  await tx
    .updateTable('pin_attempts')
    .set({ lock_expires_at: now + lock })
    .where('tenant_id', '=', tenantId)
    .where('locker_uid', '=', lockerUid)
    .execute()
}

export async function resetPinAttempts({ tx, tenantId }: Call, lockerUid: string): Promise<void> {
  await tx.executeQuery(deleteAttempts(tx, { tenantId, lockerUid }))
}

const deleteAttempts = keepQuery((db, { tenantId, lockerUid }: TenantAtLocker) =>
  db.deleteFrom('pin_attempts').where('tenant_id', '=', tenantId).where('locker_uid', '=', lockerUid),
)
