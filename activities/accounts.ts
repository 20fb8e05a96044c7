import { type Api, ApiRefusal } from '#api'
import { operations, type RequestOf } from '#contract'
import { withApplicationFailures } from './failures.ts'
import type {
  CreatedAccount,
  CreateOrGetAccountInput,
  SetAccountMutationConfigInput,
  SetAccountPickUpPointInput,
} from './interface.ts'
import { rejectRemoved } from './plan/input.ts'

const { response } = operations.CreateOrGetAccount

/**
 * Creates an account or finds it. After MutationConfigFailed the account exists, and the refusal carries it. For a
 * service that leaves its fields out the request is repeated without a configuration.
 */
export async function createOrGetAccount(
  api: Api,
  { request, profile, idempotencyKey }: CreateOrGetAccountInput,
): Promise<CreatedAccount> {
  rejectRemoved(request)
  return withApplicationFailures(async () => {
    // The plan checked the request by the schema of this operation.
    const accountRequest = request as RequestOf<'CreateOrGetAccount'>
    try {
      const account = await api.call('CreateOrGetAccount', accountRequest, profile.idempotent ? { idempotencyKey } : {})
      return { account, configured: true }
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.code !== 'MutationConfigFailed') throw error
      const carried = response.safeParse(error.response)
      if (carried.success) return { account: carried.data, configured: false }
      return {
        account: await api.call('CreateOrGetAccount', { ...accountRequest, mutationConfig: null }),
        configured: false,
      }
    }
  })
}

export async function setAccountPickUpPoint(api: Api, input: SetAccountPickUpPointInput): Promise<string> {
  return withApplicationFailures(async () => (await api.call('SetAccountPickUpPoint', { ...input })).pupUid)
}

export async function setAccountMutationConfig(api: Api, { userUid, mutationConfig }: SetAccountMutationConfigInput) {
  await withApplicationFailures(() => api.call('SetAccountMutationConfig', { ...mutationConfig, userUid }))
}
