import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersion, toVersionName } from '../deployment.ts'
import { type ConnectedTarget, inGroups, type OpenFlow, openFlows } from './openFlows.ts'

/** Lists the open flows whose workflow tasks have failed several times in a row, as Temporal reports them. */
export function reportedFlows(target: ConnectedTarget): Promise<OpenFlow[]> {
  return openFlows(target, 'TemporalReportedProblems IS NOT NULL')
}

/** Lists the reported flows whose next attempt goes to a build, without those that were reported before. */
export async function reportedOn(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  before: ReadonlySet<string>,
): Promise<OpenFlow[]> {
  const flows = (await reportedFlows(target)).filter(({ runId }) => !before.has(runId))
  const builds = await inGroups(flows, flow => buildOfTask(target, flow))
  return flows.filter((_, index) => builds[index] === toVersionName(build))
}

/**
 * Visibility has the build that completed the last task, so none for a flow whose first one fails. Temporal names the build of a
 * task that has not been completed as the transition of the flow.
 */
async function buildOfTask(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
): Promise<string | undefined> {
  const execution = { workflowId, runId }
  const found = await connection.workflowService.describeWorkflowExecution({ namespace, execution })
  const { versionTransition, deploymentVersion } = found.workflowExecutionInfo?.versioningInfo ?? {}
  const build = toVersion(versionTransition?.deploymentVersion) ?? toVersion(deploymentVersion)
  return build && toVersionName(build)
}
