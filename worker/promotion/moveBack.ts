import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { grpcStatuses } from '#contract/terms'
import { grpcStatusOf } from '../temporalErrors.ts'
import type { ConnectedTarget, OpenFlow } from './openFlows.ts'
import { queryStatus } from './pollers.ts'
import { pinTo, resetBefore } from './reset.ts'
import { describeTasks, resetStickiness } from './tasks.ts'

export type Moved =
  | { readonly kind: 'moved' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'left'; readonly reason: string }

/** Milliseconds: a query that replays the flow; all of them, while the failed task of the flow is tried again. */
const timeouts = { query: 10_000, all: 30_000, pause: 1_000 } as const

/**
 * Moves one flow to the current build. Resets it if that build does not replay it. A flow that is left goes on where it was.
 */
export async function moveBack(
  target: ConnectedTarget,
  flow: OpenFlow,
  build: WorkerDeploymentVersion,
  current: WorkerDeploymentVersion,
): Promise<Moved> {
  try {
    // The routing moves the others, and would not move a flow with an override.
    if (flow.pinned) await pinTo(target, flow, current)
    if (await isReplayed(target, flow)) return { kind: 'moved' }
    if (await resetBefore(target, flow, build, current)) return { kind: 'reset' }
    throw new Error('the current build does not replay it')
  } catch (error) {
    // It has ended meanwhile.
    if (grpcStatusOf(error) === grpcStatuses.notFound) return { kind: 'moved' }
    return { kind: 'left', reason: [messageOf(error), ...(await stay(target, flow, build))].join('; ') }
  }
}

/** Pins a flow to its build again. Returns why that failed, if it did. */
async function stay(target: ConnectedTarget, flow: OpenFlow, build: WorkerDeploymentVersion): Promise<string[]> {
  if (!flow.pinned) return []
  try {
    await pinTo(target, flow, build)
    return []
  } catch (error) {
    return [`pinned to the current build: ${messageOf(error)}`]
  }
}

/** Queries the flow until a worker of the current build has replayed it. False if that build cannot. */
async function isReplayed(target: ConnectedTarget, flow: OpenFlow): Promise<boolean> {
  const deadline = Date.now() + timeouts.all
  for (;;) {
    const { found, error } = await tryReplay(target, flow)
    if (found !== 'unknown') return found === 'replayed'
    if (Date.now() > deadline) {
      if (grpcStatusOf(error) === grpcStatuses.failedPrecondition) return false
      throw new Error(`no worker of the current build answers: ${messageOf(error)}`)
    }
    await setTimeout(timeouts.pause)
  }
}

type Replay = 'replayed' | 'failed' | 'unknown'

/**
 * Queries the flow once. A worker of the other build answers too while the flow is sticky to it or it has a task of the
 * flow, so an answer is a proof only if the flow had no task meanwhile.
 */
async function tryReplay(target: ConnectedTarget, flow: OpenFlow): Promise<{ found: Replay; error?: unknown }> {
  try {
    // A task that ends after the reset would make the flow sticky to the other build again.
    const before = await describeTasks(target, flow)
    await resetStickiness(target, flow)
    const { found, error } = await query(target, flow)
    const after = await describeTasks(target, flow)
    const isQuiet = !before.isPending && after.events === before.events
    return found === 'replayed' && !isQuiet ? { found: 'unknown', error: 'the flow has a task' } : { found, error }
  } catch (error) {
    if (grpcStatusOf(error) === grpcStatuses.notFound) throw error
    return { found: 'unknown', error }
  }
}

async function query(target: ConnectedTarget, flow: OpenFlow): Promise<{ found: Replay; error?: unknown }> {
  try {
    await queryStatus(target, flow, timeouts.query)
    return { found: 'replayed' }
  } catch (error) {
    return { found: readFailure(error), error }
  }
}

/** Reads the proof of a failed query. @throws the error, if the workflow is closed */
function readFailure(error: unknown): Replay {
  const status = grpcStatusOf(error)
  if (status === grpcStatuses.notFound) throw error
  if (status !== grpcStatuses.invalidArgument) return 'unknown'
  // Notifications and sweeps have no queries: a worker has replayed them and does not know the query.
  return /TMPRL1100|nondetermin/i.test(messageOf(error)) ? 'failed' : 'replayed'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error ?? '')
}
