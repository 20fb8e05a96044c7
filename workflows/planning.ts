import { proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { codeOf, finalBehind } from './failures.ts'
import { planned, type Run } from './run.ts'

const { plan } = proxyLocalActivities<Pick<FlowActivities, 'plan'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 3 },
  summary: 'check the input and plan the flow',
})

/** First step: everything that the run depends on goes into its history. Fails with InvalidFlowInput or UnknownFlow. */
export async function planFlow(run: Run): Promise<void> {
  try {
    const { workflowId } = workflowInfo()
    run.course = planned(await plan({ flow: run.flow, workflowId, input: run.input }), Date.now())
  } catch (error) {
    // Anything but a refusal is our own defect: the workflow task fails, and a mended worker goes on from here.
    throw finalBehind(error) ?? new Error(`the flow could not be planned: ${codeOf(error)}`)
  }
}
