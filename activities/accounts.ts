import { type Api, ApiRefusal } from '#api'
import { operations, type RequestOf } from '#contract'
import { translated } from './failures.ts'
import type { AccountOrder, MadeAccount, MutationConfigOrder, PickUpPointOrder } from './interface.ts'

const { response } = operations.CreateOrGetAccount

/**
 * Makes an account or finds it. When only its mutation configuration could not be applied the account is there, and
 * the refusal carries it; at a service that leaves the fields out it is asked for again, without a configuration.
 */
export async function makeAccount(api: Api, { request, profile, idempotencyKey }: AccountOrder): Promise<MadeAccount> {
  return translated(async () => {
    // The plan checked the request by the schema of this operation.
    const wanted = request as RequestOf<'CreateOrGetAccount'>
    try {
      const account = await api.call('CreateOrGetAccount', wanted, profile.idempotent ? { idempotencyKey } : {})
      return { account, configured: true }
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.code !== 'MutationConfigFailed') throw error
      const carried = response.safeParse(error.answer)
      if (carried.success) return { account: carried.data, configured: false }
      return { account: await api.call('CreateOrGetAccount', { ...wanted, mutationConfig: null }), configured: false }
    }
  })
}

export async function setAccountPickUpPoint(api: Api, order: PickUpPointOrder): Promise<string> {
  return translated(async () => (await api.call('SetAccountPickUpPoint', { ...order })).pupUid)
}

export async function setAccountMutationConfig(api: Api, { userUid, mutationConfig }: MutationConfigOrder) {
  await translated(() => api.call('SetAccountMutationConfig', { ...mutationConfig, userUid }))
}
