import type { WorkerDeploymentVersion } from '@temporalio/common'
import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/** Temporal's number of the pinning override. */
const pinnedOverride = 1

/** Pins an open flow to a build. */
export async function pinTo(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
  version: WorkerDeploymentVersion,
): Promise<void> {
  await connection.workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution: { workflowId, runId },
    ...toOverride(version),
  })
}

/** The options of a flow that is pinned to a build, as Temporal updates them. */
export function toOverride(version: WorkerDeploymentVersion) {
  return {
    workflowExecutionOptions: { versioningOverride: { pinned: { behavior: pinnedOverride, version } } },
    updateMask: { paths: ['versioning_override'] },
  }
}
