import { grpcStatuses } from '#contract/terms'
import { grpcStatusOf } from '../temporalErrors.ts'
import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/**
 * Returns whether a pinned flow began before a moment. Its run may be a later one: each run has a start of its own, also
 * as ExecutionTime and original start time, and only the id of the first run stays the same.
 */
export async function wasPinnedBefore(target: ConnectedTarget, flow: OpenFlow, moment: Date): Promise<boolean> {
  if (!flow.pinned) return false
  try {
    const { firstRunId } = await describeRun(target, flow)
    if (!firstRunId || firstRunId === flow.runId) return false
    return await beganBefore(target, { ...flow, runId: firstRunId }, moment)
  } catch (error) {
    // It has ended meanwhile.
    if (grpcStatusOf(error) === grpcStatuses.notFound) return false
    throw error
  }
}

/** A run that Temporal no longer has ended a retention ago, so it counts as older. */
async function beganBefore(target: ConnectedTarget, run: OpenFlow, moment: Date): Promise<boolean> {
  try {
    const { startTime } = await describeRun(target, run)
    return Number(startTime?.seconds ?? 0) * 1_000 + (startTime?.nanos ?? 0) / 1_000_000 < moment.getTime()
  } catch (error) {
    if (grpcStatusOf(error) === grpcStatuses.notFound) return true
    throw error
  }
}

async function describeRun({ connection, namespace }: ConnectedTarget, { workflowId, runId }: OpenFlow) {
  const execution = { workflowId, runId }
  const found = await connection.workflowService.describeWorkflowExecution({ namespace, execution })
  return found.workflowExecutionInfo ?? {}
}
