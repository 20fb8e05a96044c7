import { setTimeout } from 'node:timers/promises'
import { grpcStatuses } from '#contract/terms'
import { toVersion, toVersionName } from '../deployment.ts'
import { grpcStatusOf } from '../temporalErrors.ts'
import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/** Temporal's numbers of the task queue types. */
const types = { workflow: 1, activity: 2, nexus: 3 } as const

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

/** Returns the names of the builds whose workers poll for workflows, activities, and Nexus if any build polls for it. */
async function pollingBuilds(target: ConnectedTarget): Promise<Set<string>> {
  const polls = (
    await Promise.all(Object.entries(types).map(([type, number]) => readPolls(target, type, number)))
  ).flat()
  const newest = Math.max(...polls.map(({ at }) => at))
  const alive = polls.filter(({ at }) => newest - at < recent)
  const names = new Set(alive.map(({ build }) => build))
  // Temporal routes nothing to a build without a task queue that the current one has.
  const needed = Object.keys(types).filter(type => type !== 'nexus' || alive.some(poll => poll.type === type))
  return new Set([...names].filter(name => needed.every(type => alive.some(matches(name, type)))))
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

function matches(name: string, pollerType: string): (poll: { build: string; type: string }) => boolean {
  return ({ build, type }) => build === name && type === pollerType
}

async function readPolls({ connection, namespace, taskQueue }: ConnectedTarget, type: string, taskQueueType: number) {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  })
  return pollers.flatMap(({ deploymentOptions, lastAccessTime }) => {
    const build = toVersion(deploymentOptions)
    if (build === undefined) return []
    return { build: toVersionName(build), type, at: Number(lastAccessTime?.seconds ?? 0) * 1_000 }
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
