import { recordAudit } from '../audit/index.ts'
import { OperationError } from '../operationError.ts'
import { changeService } from '../outOfService/change.ts'
import type { StoreTransaction } from '../store/index.ts'
import { tryAdvisoryLock } from '../store/locks.ts'

/** Dispatchers see it, so it has none of the adapter's words. */
const reason = 'The door does not work.'

/**
 * Takes a locker out of service whose adapter reports it as broken, unless it is out of service already. An
 * operator returns it to service.
 * @throws OperationError Unavailable while a topology is being applied
 */
export async function closeBrokenLocker(
  tx: StoreTransaction,
  { pupUid, lockerUid }: { readonly pupUid: string; readonly lockerUid: string },
  now: number,
): Promise<void> {
  const inService = tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('locker_uid', '=', lockerUid)
    .where('out_of_service_since', 'is', null)
  if ((await inService.executeTakeFirst()) === undefined) return
  // A wait for the lock would occupy a connection for as long as the topology takes.
  if (!(await tryAdvisoryLock(tx, 'topology'))) {
    throw new OperationError('Unavailable', 'The topology is being changed; send the event again.')
  }
  await changeService(tx, { pupUid, lockerUid }, { reason, now, byCommand: true })
  await recordAudit(tx, { action: 'locker.outOfService', subject: lockerUid, actor: 'service', now })
}
