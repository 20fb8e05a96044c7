import { executeChild, proxyActivities, workflowInfo } from '@temporalio/workflow'

const { greet } = proxyActivities<{ greet(name: string): Promise<string> }>({ startToCloseTimeout: '30s' })

/** A workflow of another team, with an activity and a child of its own. */
export async function welcome(name: string): Promise<string> {
  return executeChild(inner, { workflowId: `${workflowInfo().workflowId}-inner`, args: [name] })
}

export function inner(name: string): Promise<string> {
  return greet(name)
}
