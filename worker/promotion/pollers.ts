import { setTimeout } from 'node:timers/promises'
import { grpcStatuses, workerQueues } from '#contract/terms'
import { toVersion, toVersionName } from '../deployment.ts'
import { grpcStatusOf } from '../temporalErrors.ts'
import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/** Temporal's number of the type of a task queue for Nexus. */
const nexusQueue = 3

/**
 * Maximum age of a poll behind the newest one, in milliseconds. A worker polls at least once a minute, and Temporal
 * remembers a poll for five. Polls are compared with each other because the local clock may differ from Temporal's.
 */
const recent = 90_000

/** Milliseconds between two reads of the pollers. */
const pause = 500

/**
 * Statuses of a query that prove that a worker has responded, without a handler or with a failed replay, or that the workflow is
 * closed.
 */
const provenStatuses: readonly unknown[] = [grpcStatuses.invalidArgument, grpcStatuses.notFound]

/** Returns the names of the builds whose workers poll every task queue, and that of Nexus if any build polls it. */
async function pollingBuilds(target: ConnectedTarget): Promise<Set<string>> {
  const queues = [...workerQueues(target.taskQueue), { kind: 'nexus', name: target.taskQueue, type: nexusQueue }]
  const polls = (await Promise.all(queues.map(queue => readPolls(target, queue)))).flat()
  const newest = Math.max(...polls.map(({ at }) => at))
  const alive = polls.filter(({ at }) => newest - at < recent)
  const names = new Set(alive.map(({ build }) => build))
  // Temporal routes nothing to a build without a task queue that the current one has.
  const needed = queues.filter(({ kind }) => kind !== 'nexus' || alive.some(poll => poll.kind === kind))
  return new Set([...names].filter(name => needed.every(({ kind }) => alive.some(matches(name, kind)))))
}

/**
 * Returns true as soon as workers of a build poll.
 * @param wait milliseconds after which it returns false
 * @param signal ends the wait
 */
export async function waitForPollers(
  target: ConnectedTarget,
  name: string,
  wait: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = Date.now() + wait
  while (!(await pollingBuilds(target)).has(name)) {
    if (Date.now() >= end || signal?.aborted) return false
    await setTimeout(pause)
  }
  return true
}

function matches(name: string, polledKind: string): (poll: { build: string; kind: string }) => boolean {
  return ({ build, kind }) => build === name && kind === polledKind
}

async function readPolls(
  { connection, namespace }: ConnectedTarget,
  { kind, name, type }: { readonly kind: string; readonly name: string; readonly type: number },
) {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: type,
  })
  return pollers.flatMap(({ deploymentOptions, lastAccessTime }) => {
    const build = toVersion(deploymentOptions)
    if (build === undefined) return []
    return { build: toVersionName(build), kind, at: Number(lastAccessTime?.seconds ?? 0) * 1_000 }
  })
}

/**
 * Queries a flow and returns true when a worker responds in time. A pinned flow needs this proof: the list of pollers
 * still names workers that have just stopped.
 * @param timeout milliseconds
 */
export async function isServed(target: ConnectedTarget, flow: OpenFlow, timeout: number): Promise<boolean> {
  return queryStatus(target, flow, timeout).then(
    () => true,
    error => provenStatuses.includes(grpcStatusOf(error)),
  )
}

/**
 * Queries the status of a flow, for which a worker replays the flow unless its cache has it.
 * @param timeout milliseconds
 * @throws the error of gRPC
 */
export async function queryStatus(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
  timeout: number,
): Promise<void> {
  await connection.withDeadline(Date.now() + timeout, () =>
    connection.workflowService.queryWorkflow({
      namespace,
      execution: { workflowId, runId },
      query: { queryType: 'status', queryArgs: { payloads: [] } },
    }),
  )
}
