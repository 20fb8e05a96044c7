import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersion, toVersionName } from '../deployment.ts'
import { type ConnectedTarget, findHistory, type OpenFlow } from './openFlows.ts'

export type Moved =
  | { readonly kind: 'moved' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'left'; readonly reason: string }

/** gRPC codes. */
const codes = { invalidArgument: 3, notFound: 5, failedPrecondition: 9 } as const

/** Milliseconds: a query that replays the flow; all of them, while the failed task of the flow is tried again. */
const timeouts = { query: 10_000, all: 30_000, pause: 1_000 } as const

/** Temporal's number of the pinning override. */
const pinnedOverride = 1

/** Moves one flow to the current build. Resets it if that build does not replay it. */
export async function moveBack(
  target: ConnectedTarget,
  flow: OpenFlow,
  build: WorkerDeploymentVersion,
  current: WorkerDeploymentVersion,
): Promise<Moved> {
  try {
    // The routing moves the others, and would not move a flow with an override.
    if (flow.pinned) await pinTo(target, flow, current)
    if (await canContinue(target, flow)) return { kind: 'moved' }
    return await reset(target, flow, build, current)
  } catch (error) {
    if (codeOf(error) === codes.notFound) return { kind: 'moved' }
    return { kind: 'left', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function pinTo({ connection, namespace }: ConnectedTarget, flow: OpenFlow, version: WorkerDeploymentVersion) {
  const { workflowId, runId } = flow
  await connection.workflowService.updateWorkflowExecutionOptions({
    namespace,
    workflowExecution: { workflowId, runId },
    ...toOverride(version),
  })
}

function toOverride(version: WorkerDeploymentVersion) {
  return {
    workflowExecutionOptions: { versioningOverride: { pinned: { behavior: pinnedOverride, version } } },
    updateMask: { paths: ['versioning_override'] },
  }
}

/** Queries the flow, which makes a worker of the current build replay it. False if that build cannot. */
async function canContinue({ connection, namespace }: ConnectedTarget, flow: OpenFlow): Promise<boolean> {
  const { workflowId, runId } = flow
  const query = () =>
    connection.workflowService.queryWorkflow({
      namespace,
      execution: { workflowId, runId },
      query: { queryType: 'status', queryArgs: { payloads: [] } },
    })
  for (const deadline = Date.now() + timeouts.all; ; ) {
    try {
      await connection.withDeadline(Date.now() + timeouts.query, query)
      return true
    } catch (error) {
      const code = codeOf(error)
      const text = error instanceof Error ? error.message : ''
      // Notifications and sweeps have no queries: a worker has replayed them and does not know the query.
      if (code === codes.invalidArgument) return !/TMPRL1100|nondetermin/i.test(text)
      if (code === codes.notFound) throw error
      if (Date.now() > deadline) {
        if (code === codes.failedPrecondition) return false
        throw new Error(`no worker of the current build answers: ${text}`)
      }
    }
    await setTimeout(timeouts.pause)
  }
}

/**
 * Goes back to the moment before the first task of the build. Temporal applies signals and updates again. Effects are not
 * repeated: their idempotency keys contain the first run, which a reset keeps.
 */
async function reset(
  target: ConnectedTarget,
  flow: OpenFlow,
  build: WorkerDeploymentVersion,
  current: WorkerDeploymentVersion,
): Promise<Moved> {
  const { workflowId, runId } = flow
  const history = await findHistory(target, flow)
  const first = history?.events?.find(({ workflowTaskCompletedEventAttributes: task }) => {
    const version = toVersion(task?.deploymentVersion)
    return version !== undefined && toVersionName(version) === toVersionName(build)
  })
  if (!first?.eventId) return { kind: 'left', reason: 'the current build does not replay it' }
  await target.connection.workflowService.resetWorkflowExecution({
    namespace: target.namespace,
    workflowExecution: { workflowId, runId },
    reason: `the build ${toVersionName(build)} went back`,
    requestId: randomUUID(),
    workflowTaskFinishEventId: first.eventId,
    ...(flow.pinned && { postResetOperations: [{ updateWorkflowOptions: toOverride(current) }] }),
  })
  return { kind: 'reset' }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
