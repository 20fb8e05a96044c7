import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersion, toVersionName } from '../deployment.ts'
import { inGroups } from './inGroups.ts'
import { attributes, type ConnectedTarget, type OpenFlow, openFlows, quote } from './openFlows.ts'

/** Flows of each kind that one measurement describes. */
const maximum = 200

/**
 * Returns the open flows whose workflow task has failed on a build and is tried again. Visibility of server 1.29 does not
 * know them, so flows are described: those of the build, new ones without a completed task, and some that may move.
 */
export async function findFailing(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  since: Date,
): Promise<OpenFlow[]> {
  const name = toVersionName(build)
  const candidates: OpenFlow[] = []
  for (const condition of [
    `${attributes.build} = ${quote(name)}`,
    `${attributes.build} IS NULL AND StartTime >= ${quote(since.toISOString())}`,
    `${attributes.build} != ${quote(name)} AND ${attributes.behaviour} = 'AutoUpgrade'`,
  ])
    candidates.push(...(await openFlows(target, condition, maximum)))
  return filterFailing(target, candidates, version => version === name)
}

/** Returns open flows whose workflow task fails on any build. */
export async function findFailingAnywhere(target: ConnectedTarget): Promise<OpenFlow[]> {
  return filterFailing(target, await openFlows(target, undefined, 3 * maximum), () => true)
}

async function filterFailing(
  target: ConnectedTarget,
  flows: readonly OpenFlow[],
  test: (version: string | undefined) => boolean,
): Promise<OpenFlow[]> {
  const found = await inGroups(flows, flow => isFailing(target, flow, test))
  return flows.filter((_, index) => found[index])
}

/** Temporal names the build of a task that has not been completed as the transition of the flow. */
async function isFailing(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
  test: (version: string | undefined) => boolean,
): Promise<boolean> {
  const { workflowExecutionInfo, pendingWorkflowTask } = await connection.workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId, runId },
  })
  if ((pendingWorkflowTask?.attempt ?? 0) < 2) return false
  const { versionTransition, deploymentVersion } = workflowExecutionInfo?.versioningInfo ?? {}
  const routed = toVersion(versionTransition?.deploymentVersion) ?? toVersion(deploymentVersion)
  return test(routed && toVersionName(routed))
}
