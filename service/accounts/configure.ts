import type { ReadRequestOf, ResponseOf } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import { faultsInForce } from '../sandbox/index.ts'
import { attempt, storeIsAway } from '../store/index.ts'
import type { Account } from './find.ts'
import { applyMutationConfig } from './mutationConfig.ts'

type Wish = NonNullable<ReadRequestOf<'CreateAccount'>['mutationConfig']>

/**
 * Applies the mutation configuration that came with an account. Whatever goes wrong here leaves the account, with its
 * new address if it got one, and the answer tells it (specification, Account management, 4).
 * @throws Refusal MutationConfigFailed, with the fields of the account
 */
export async function configure(
  call: Call,
  account: Account,
  wish: Wish,
  answer: ResponseOf<'CreateOrGetAccount'>,
): Promise<void> {
  const failure = await attempt(call.tx, async () => {
    if ((await faultsInForce(call)).mutationConfigFails) throw new Error('the sandbox is told to fail here')
    await applyMutationConfig(call.tx, account, wish)
  })
  if (failure === undefined) return
  // Not now is no answer to keep: the whole call is given up, or done again.
  if (storeIsAway(failure)) throw failure
  throw new Refusal('MutationConfigFailed', 'The account is there, mutationConfig could not be applied to it', {
    keepsChanges: true,
    answer,
    cause: failure,
  })
}
