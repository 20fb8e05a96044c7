import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Account, FlowActivities } from '#activities/interface'
import { type FlowInput, type FlowResult, idempotencyKeyOf } from '#contract/terms'
import { courseOf, type Run } from '../run.ts'
import { type Done, enter, lead, patience, timeLeft, unlessCancelled } from './plain.ts'

/** An account that is there is set up to the end, however long the service is away: nobody looks after half of one. */
const { setAccountPickUpPoint } = proxyActivities<Pick<FlowActivities, 'setAccountPickUpPoint'>>({
  ...patience,
  summary: 'set the main pick up point of the account',
})

const { setAccountMutationConfig } = proxyActivities<Pick<FlowActivities, 'setAccountMutationConfig'>>({
  ...patience,
  summary: 'set what the user may change',
})

/** Makes an account or finds it, and sets up what making it left out. */
export function onboardAccount(input: FlowInput): Promise<FlowResult> {
  return lead(input, onboard)
}

async function onboard(run: Run): Promise<Done> {
  const { plan } = courseOf(run)
  const { profile, request } = plan
  const { makeAccount } = proxyActivities<Pick<FlowActivities, 'makeAccount'>>({
    ...patience,
    scheduleToCloseTimeout: timeLeft(run),
    summary: 'make the account, or find it',
  })
  enter(run, 'account')
  const idempotencyKey = idempotencyKeyOf(plan, workflowInfo().firstExecutionRunId)
  const made = await unlessCancelled(run, () => makeAccount({ request, profile, idempotencyKey }))
  if (made === undefined) return { answer: {}, whole: false }
  const { account, configured } = made
  courseOf(run).deadline = null
  // Somebody else's account is only named, and cannot be changed.
  if (account.userUid === null || !account.canManageUser) return { answer: account, whole: true }
  const placed = await place(run, account, String(request.pickUpPointUid))
  if (configured || placed === undefined) return { answer: placed ?? account, whole: placed !== undefined }
  return { answer: placed, whole: await configure(run, account.userUid, request.mutationConfig) }
}

/** The account with the pick up point that was asked for; undefined when the flow was cancelled before. */
async function place(run: Run, account: Account, pickUpPointUid: string): Promise<Account | undefined> {
  const { userUid, mainPupUid } = account
  if (userUid === null || mainPupUid === pickUpPointUid) return account
  enter(run, 'pickUpPoint')
  const pupUid = await unlessCancelled(run, () => setAccountPickUpPoint({ userUid, pickUpPointUid }))
  // What the new one is called is not in the service's answer.
  return pupUid === undefined ? undefined : { ...account, mainPupUid: pupUid, mainPupName: null }
}

async function configure(run: Run, userUid: string, mutationConfig: unknown): Promise<boolean> {
  enter(run, 'mutationConfig')
  const order = { userUid, mutationConfig: mutationConfig as Record<string, unknown> }
  const set = async () => {
    await setAccountMutationConfig(order)
    return true
  }
  return (await unlessCancelled(run, set)) === true
}
