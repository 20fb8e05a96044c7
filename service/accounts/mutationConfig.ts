import type { Selectable, Transaction } from 'kysely'
import { type MutationFlag, mutationFlags } from '#contract'
import type { AccountRow, Tables } from '../store/tables.ts'

/** What a user may change or have removed; null: not said. */
export type MutationConfig = Record<MutationFlag, boolean | null>
type Wish = Partial<Record<MutationFlag, boolean | null | undefined>>

export const noMutationConfig = Object.fromEntries(mutationFlags.map(flag => [flag, null])) as MutationConfig

export function mutationConfigOf({ mutation_config }: Pick<Selectable<AccountRow>, 'mutation_config'>): MutationConfig {
  return { ...noMutationConfig, ...(JSON.parse(mutation_config) as Partial<MutationConfig>) }
}

/** Changes the flags that are given; null and absent leave a flag as it is (specification, SetAccountMutationConfig). */
export async function applyMutationConfig(
  tx: Transaction<Tables>,
  account: Pick<Selectable<AccountRow>, 'user_uid' | 'mutation_config'>,
  wish: Wish,
): Promise<MutationConfig> {
  const given = mutationFlags.filter(flag => wish[flag] != null).map(flag => [flag, wish[flag]])
  const config: MutationConfig = { ...mutationConfigOf(account), ...Object.fromEntries(given) }
  await tx
    .updateTable('accounts')
    .set({ mutation_config: JSON.stringify(config) })
    .where('user_uid', '=', account.user_uid)
    .execute()
  return config
}
