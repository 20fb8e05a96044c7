import { proxyLocalActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { reasonOf, refusalBehind } from './failures.ts'
import { planned, type Run } from './run.ts'

const { plan } = proxyLocalActivities<Pick<FlowActivities, 'plan'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 3 },
  summary: 'check the input and plan the flow',
})

/** First step: everything that the run depends on goes into its history. Fails with InvalidFlowInput or UnknownFlow. */
export async function planFlow(run: Run): Promise<void> {
  try {
    run.course = planned(await plan(run.flow, run.input), Date.now())
  } catch (error) {
    // Anything but a refusal is our own defect: the workflow task fails, and a mended worker goes on from here.
    throw refusalBehind(error) ?? new Error(`the flow could not be planned: ${reasonOf(error)}`)
  }
}
