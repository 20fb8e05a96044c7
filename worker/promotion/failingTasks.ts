import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersion, toVersionName } from '../deployment.ts'
import { attributes, type ConnectedTarget, flowPage, type OpenFlow, openFlows, quote } from './openFlows.ts'

/** Flows of each kind that one measurement describes: as many of the newest ones, and as many of the others in turn. */
const pageSize = 100

/** At most this many open flows are examined for a task that already fails before the ramp. */
const maximumBefore = 600

/** Returns the open flows whose workflow task has failed on a build and is tried again. */
export type FindFailing = () => Promise<OpenFlow[]>

/** Calls to Temporal that run at the same time. */
const size = 10

/**
 * Creates a search for failing tasks on a build. Visibility of server 1.29 does not know them, so flows are described: those
 * of the build, new ones without a completed task, and those that may move. Each call describes a page of the newest ones
 * of each kind, the next page of the others, and what failed at the call before, so that repeated calls reach all flows.
 * @param size of a page
 */
export function createFailingSearch(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  since: Date,
  size = pageSize,
): FindFailing {
  const name = toVersionName(build)
  const kinds: { readonly condition: string; from: Uint8Array | undefined }[] = [
    `${attributes.build} = ${quote(name)}`,
    `${attributes.build} IS NULL AND StartTime >= ${quote(since.toISOString())}`,
    `${attributes.build} != ${quote(name)} AND ${attributes.behaviour} = 'AutoUpgrade'`,
  ].map(condition => ({ condition, from: undefined }))
  let failing: OpenFlow[] = []
  return async () => {
    const candidates = new Map(failing.map(flow => [flow.runId, flow]))
    for (const kind of kinds) {
      const { condition, from } = kind
      const newest = await flowPage(target, { condition, size, from: undefined })
      const others = from && (await flowPage(target, { condition, size, from }))
      kind.from = (others ?? newest).next
      for (const flow of [...newest.flows, ...(others?.flows ?? [])]) candidates.set(flow.runId, flow)
    }
    failing = await filterFailing(target, [...candidates.values()], version => version === name)
    return failing
  }
}

/** Returns open flows whose workflow task fails on any build. */
export async function findFailingAnywhere(target: ConnectedTarget): Promise<OpenFlow[]> {
  return filterFailing(target, await openFlows(target, undefined, maximumBefore), () => true)
}

async function filterFailing(
  target: ConnectedTarget,
  flows: readonly OpenFlow[],
  test: (version: string | undefined) => boolean,
): Promise<OpenFlow[]> {
  const found = await inGroups(flows, flow => isFailing(target, flow, test))
  return flows.filter((_, index) => found[index])
}

/** Temporal names the build of a task that has not been completed as the transition of the flow. */
async function isFailing(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
  test: (version: string | undefined) => boolean,
): Promise<boolean> {
  const { workflowExecutionInfo, pendingWorkflowTask } = await connection.workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId, runId },
  })
  if ((pendingWorkflowTask?.attempt ?? 0) < 2) return false
  const { versionTransition, deploymentVersion } = workflowExecutionInfo?.versioningInfo ?? {}
  const routed = toVersion(versionTransition?.deploymentVersion) ?? toVersion(deploymentVersion)
  return test(routed && toVersionName(routed))
}

/** Calls `work` with each item, some at the same time. Returns the results in order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await Promise.all(items.slice(at, at + size).map(work))))
  }
  return results
}
