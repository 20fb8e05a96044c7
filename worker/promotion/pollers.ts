import { buildOf, nameOf } from '../deployment.ts'
import type { OpenFlow, Place } from './openFlows.ts'

/** Temporal's numbers for the types of a task queue. */
const types = { workflow: 1, activity: 2 } as const

/**
 * How much longer ago than the newest poll one may be, in milliseconds. A worker polls at least once a minute, and
 * Temporal remembers a poll for five. Against each other, since our clock may not be Temporal's.
 */
const recent = 90_000

/** How a query fails that a worker has answered, or whose flow is gone: gRPC's invalid argument and not found. */
const said: readonly unknown[] = [3, 5]

/** The names of the builds that take workflows and activities from a task queue. */
export async function pollingBuilds(place: Place): Promise<Set<string>> {
  const polls = (await Promise.all(Object.entries(types).map(([type, number]) => pollsOf(place, type, number)))).flat()
  const newest = Math.max(...polls.map(({ at }) => at))
  const alive = polls.filter(({ at }) => newest - at < recent)
  const names = new Set(alive.map(({ build }) => build))
  return new Set([...names].filter(name => Object.keys(types).every(type => alive.some(isOf(name, type)))))
}

function isOf(name: string, wanted: string): (poll: { build: string; type: string }) => boolean {
  return ({ build, type }) => build === name && type === wanted
}

async function pollsOf({ connection, namespace, taskQueue }: Place, type: string, taskQueueType: number) {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  })
  return pollers.flatMap(({ deploymentOptions, lastAccessTime }) => {
    const build = buildOf(deploymentOptions)
    if (build === undefined) return []
    return { build: nameOf(build), type, at: Number(lastAccessTime?.seconds ?? 0) * 1_000 }
  })
}

/**
 * Whether a worker answers for a flow, within the time in milliseconds. That is what counts for a pinned one: a list
 * of pollers names those too that have just gone.
 */
export async function answersFor(place: Place, flow: OpenFlow, within: number): Promise<boolean> {
  const { connection, namespace } = place
  const { workflowId, runId } = flow
  const ask = () =>
    connection.workflowService.queryWorkflow({
      namespace,
      execution: { workflowId, runId },
      query: { queryType: 'status', queryArgs: { payloads: [] } },
    })
  return connection.withDeadline(Date.now() + within, ask).then(
    () => true,
    error => said.includes(error?.code),
  )
}
