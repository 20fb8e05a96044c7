import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { finalBehind } from './failures.ts'
import { planned, type Run } from './run.ts'

/** What is not a refusal is a defect of our own: a mended worker goes on from here. */
const { plan } = proxyActivities<Pick<FlowActivities, 'plan'>>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '250ms', maximumInterval: '30s' },
  summary: 'check the input and plan the flow',
})

/** Everything that the run depends on goes into its history. Fails with InvalidFlowInput or UnknownFlow. */
export async function planFlow(run: Run): Promise<void> {
  try {
    const { workflowId } = workflowInfo()
    run.course = planned(await plan({ flow: run.flow, workflowId, input: run.input }), Date.now())
  } catch (error) {
    throw finalBehind(error) ?? error
  }
}
