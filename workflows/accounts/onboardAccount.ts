import { workflowInfo } from '@temporalio/workflow'
import type { Account } from '#activities/interface'
import { type FlowInput, type FlowResult, toIdempotencyKey } from '#flows'
import { createOrGetAccount, setAccountMutationConfig, setAccountPickUpPoint } from '../activities.ts'
import { remainingBookingWindow } from '../booking/plan.ts'
import type { PlannedFlow } from '../context.ts'
import { enterStep, runAccountFlow, unlessCancelled, type WorkResult } from './accountFlow.ts'

/** Creates an account or finds it, and completes its configuration. */
export function onboardAccount(input: FlowInput): Promise<FlowResult> {
  return runAccountFlow(input, work)
}

async function work(flow: PlannedFlow): Promise<WorkResult> {
  const { plan } = flow.progress
  const { profile, request } = plan
  const create = createOrGetAccount(remainingBookingWindow(flow))
  enterStep(flow, 'account')
  const idempotencyKey = toIdempotencyKey(plan, workflowInfo().firstExecutionRunId)
  const created = await unlessCancelled(flow, () => create({ request, profile, idempotencyKey }))
  if (created === undefined) return { response: {}, complete: false }
  const { account, configured } = created
  flow.progress.deadline = null
  // An account of another manager is only named, and cannot be changed.
  if (account.userUid === null || !account.canManageUser) return { response: account, complete: true }
  const placed = await setPickUpPoint(flow, account, String(request.pickUpPointUid))
  if (configured || placed === undefined) return { response: placed ?? account, complete: placed !== undefined }
  return { response: placed, complete: await configure(flow, account.userUid, request.mutationConfig) }
}

/** The account with the requested pick up point; undefined when the flow was cancelled before. */
async function setPickUpPoint(
  flow: PlannedFlow,
  account: Account,
  pickUpPointUid: string,
): Promise<Account | undefined> {
  const { userUid, mainPupUid } = account
  if (userUid === null || mainPupUid === pickUpPointUid) return account
  enterStep(flow, 'pickUpPoint')
  const pupUid = await unlessCancelled(flow, () => setAccountPickUpPoint({ userUid, pickUpPointUid }))
  // The response does not contain the name of the new pick up point.
  return pupUid === undefined ? undefined : { ...account, mainPupUid: pupUid, mainPupName: null }
}

async function configure(flow: PlannedFlow, userUid: string, mutationConfig: unknown): Promise<boolean> {
  enterStep(flow, 'mutationConfig')
  const input = { userUid, mutationConfig: mutationConfig as Record<string, unknown> }
  const done = await unlessCancelled(flow, async () => {
    await setAccountMutationConfig(input)
    return true
  })
  return done === true
}
