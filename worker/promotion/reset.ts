import { randomUUID } from 'node:crypto'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersion, toVersionName } from '../deployment.ts'
import { type ConnectedTarget, findHistory, type OpenFlow } from './openFlows.ts'

/** Temporal's number of the pinning override. */
const pinnedOverride = 1

/**
 * Resets a flow to the moment before the first task of a build. Temporal applies signals and updates again. Effects are not
 * repeated: their idempotency keys contain the first run, which a reset keeps.
 * @returns false if the build completed no task of the flow, or another build than the current one pinned it before: nothing has
 *   checked that the current one replays those tasks
 */
export async function resetBefore(
  target: ConnectedTarget,
  flow: OpenFlow,
  build: WorkerDeploymentVersion,
  current: WorkerDeploymentVersion,
): Promise<boolean> {
  const { workflowId, runId } = flow
  const history = await findHistory(target, flow)
  const tasks = (history?.events ?? []).flatMap(({ eventId, workflowTaskCompletedEventAttributes: task }) => {
    if (!task || !eventId) return []
    const version = toVersion(task.deploymentVersion)
    return [{ eventId, version: version && toVersionName(version) }]
  })
  const index = tasks.findIndex(({ version }) => version === toVersionName(build))
  const first = tasks[index]
  if (first === undefined) return false
  const isForeign = ({ version }: (typeof tasks)[number]) => version !== toVersionName(current)
  if (flow.pinned && tasks.slice(0, index).some(isForeign)) return false
  await target.connection.workflowService.resetWorkflowExecution({
    namespace: target.namespace,
    workflowExecution: { workflowId, runId },
    reason: `the build ${toVersionName(build)} was rolled back`,
    requestId: randomUUID(),
    workflowTaskFinishEventId: first.eventId,
    ...(flow.pinned && { postResetOperations: [{ updateWorkflowOptions: toOverride(current) }] }),
  })
  return true
}

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
function toOverride(version: WorkerDeploymentVersion) {
  return {
    workflowExecutionOptions: { versioningOverride: { pinned: { behavior: pinnedOverride, version } } },
    updateMask: { paths: ['versioning_override'] },
  }
}
