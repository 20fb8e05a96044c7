import type { Selectable, Transaction } from 'kysely'
import { type MutationFlag, mutationFlags, type ResponseOf } from '#contract'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { readFaults } from '../sandbox/index.ts'
import { isUnavailable, withSavepoint } from '../store/index.ts'
import type { AccountRow, Tables } from '../store/tables.ts'
import type { Account } from './load.ts'

/** A user's permissions; null means unset. */
export type MutationConfig = Record<MutationFlag, boolean | null>
type RequestedMutationConfig = Partial<Record<MutationFlag, boolean | null | undefined>>

export const emptyMutationConfig = Object.fromEntries(mutationFlags.map(flag => [flag, null])) as MutationConfig

export function readMutationConfig({
  mutation_config,
}: Pick<Selectable<AccountRow>, 'mutation_config'>): MutationConfig {
  return { ...emptyMutationConfig, ...(JSON.parse(mutation_config) as Partial<MutationConfig>) }
}

/** Updates the given flags; null and absent flags stay unchanged (specification, SetAccountMutationConfig). */
export async function applyMutationConfig(
  tx: Transaction<Tables>,
  account: Pick<Selectable<AccountRow>, 'user_uid' | 'mutation_config'>,
  requested: RequestedMutationConfig,
): Promise<MutationConfig> {
  const changes = mutationFlags.filter(flag => requested[flag] != null).map(flag => [flag, requested[flag]])
  const config: MutationConfig = { ...readMutationConfig(account), ...Object.fromEntries(changes) }
  await tx
    .updateTable('accounts')
    .set({ mutation_config: JSON.stringify(config) })
    .where('user_uid', '=', account.user_uid)
    .execute()
  return config
}

/**
 * Applies the mutation configuration of a registration. A failure does not undo the registration: the error has the
 * account's fields (specification, Account management, 4).
 * @throws OperationError MutationConfigFailed, with the fields of the account
 */
export async function configureAccount(
  call: Call,
  account: Account,
  requested: RequestedMutationConfig,
  response: ResponseOf<'CreateOrGetAccount'>,
): Promise<void> {
  const failure = await withSavepoint(call.tx, async () => {
    if ((await readFaults(call)).mutationConfigFails) throw new Error('the sandbox fault mutationConfigFails is on')
    await applyMutationConfig(call.tx, account, requested)
  })
  if (failure === undefined) return
  // An outage is not a result: the call fails or is retried as a whole.
  if (isUnavailable(failure)) throw failure
  throw new OperationError('MutationConfigFailed', 'mutationConfig could not be applied; the account exists.', {
    commit: true,
    response,
    cause: failure,
  })
}
