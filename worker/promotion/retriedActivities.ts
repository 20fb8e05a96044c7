import type { WorkerDeploymentVersion } from '@temporalio/common'
import { searchAttributes } from '#flows'
import { toVersionName } from '../deployment.ts'
import { attributes, type ConnectedTarget, flowPage, inGroups, type OpenFlow, quote } from './openFlows.ts'

/** Open flows of a build, and those of them whose activity fails again and again. */
export interface RetriedFlows {
  /** The described flows: at most a page of the newest ones. */
  readonly open: number
  readonly retrying: number
  /** Names of these activities. */
  readonly activities: readonly string[]
}

/** An attempt that failed once may succeed in the next one. */
const minimumAttempt = 3

/**
 * Finds activities that fail on a build. Temporal repeats them until the window of their step has passed, and until then the
 * flow is neither refused nor overdue (D-433). Visibility does not know attempts, so flows are described.
 */
export async function findRetried(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  since: Date,
): Promise<RetriedFlows> {
  const condition = [
    `${attributes.build} = ${quote(toVersionName(build))}`,
    `${searchAttributes.flow.name} IS NOT NULL`,
    `StartTime >= ${quote(since.toISOString())}`,
  ].join(' AND ')
  const { flows } = await flowPage(target, { condition, from: undefined })
  const found = await inGroups(flows, flow => retriedActivities(target, flow))
  return {
    open: flows.length,
    retrying: found.filter(({ length }) => length > 0).length,
    activities: [...new Set(found.flat())].toSorted(),
  }
}

async function retriedActivities(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
): Promise<string[]> {
  const { pendingActivities } = await connection.workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId, runId },
  })
  return pendingActivities
    .filter(({ attempt, lastFailure }) => lastFailure && (attempt ?? 0) >= minimumAttempt)
    .map(({ activityType }) => activityType?.name ?? '')
}
