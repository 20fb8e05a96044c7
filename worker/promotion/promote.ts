import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common'
import type { WorkflowBundleOption } from '@temporalio/worker'
import { toOutsideQueue } from '#contract/terms'
import { findRouting, type Ramp, toVersionName } from '../deployment.ts'
import { type RecordedFlow, replayEach } from '../replay.ts'
import { type ConnectedTarget, findHistory, type OpenFlow, openFlows, toCaseNo } from './openFlows.ts'
import { isServed, waitForPollers } from './pollers.ts'
import { setCurrent } from './routing.ts'

export interface PromotionInput extends ConnectedTarget {
  readonly build: WorkerDeploymentVersion
  /** The bundle that the workers of the build run. */
  readonly bundle: WorkflowBundleOption
  /** Decrypts the histories to replay. */
  readonly dataConverter?: DataConverter
  /** Maximum number of moving flows to replay; by default all of them. */
  readonly sample?: number
  /** Milliseconds until a worker of an old build must answer a query. */
  readonly queryTimeout?: number
  /** Checks only, and changes nothing. */
  readonly onlyCheck?: boolean
  /** Milliseconds to wait for workers of the build; by default none. */
  readonly wait?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

/** The reason not to promote a build, with the affected case numbers and the fault of each. */
export interface Objection {
  readonly reason: string
  readonly cases: readonly string[]
}

export interface Promotion {
  /** Empty when the build can be promoted. */
  readonly objections: readonly Objection[]
  /** The build that was current before. */
  readonly previous: WorkerDeploymentVersion | undefined
  /** Number of open flows that move to the build, and how many of them were replayed with it. */
  readonly moving: number
  readonly replayed: number
  /** Number of open flows pinned to each other build. The workers of that build must stay for them. */
  readonly staying: ReadonlyMap<string, number>
}

/** Enough to replay a flow that the worker does not have in its cache. Milliseconds. */
const defaultQueryTimeout = 10_000

/**
 * Makes a build the current one of its deployment, unless that would strand an open flow: no worker of the build polls,
 * a flow that would move does not replay with it, or a flow is pinned to a build without workers.
 */
export async function promote(input: PromotionInput): Promise<Promotion> {
  const { connection, namespace, taskQueue, build, onlyCheck = false } = input
  const name = toVersionName(build)
  const queues = `${taskQueue} and ${toOutsideQueue(taskQueue)}`
  const isPolled = await waitForPollers(input, name, input.wait ?? 0, input.signal)
  // Before the checks: its token makes the change fail if another promotion comes in between.
  const routing = await findRouting(connection, namespace, build.deploymentName)
  const open = await openFlows(input)
  const pinned = Map.groupBy(
    open.filter(flow => flow.pinned && flow.build !== name),
    flow => flow.build ?? '',
  )
  const moving = open.filter(flow => !flow.pinned && flow.build !== name)
  const checked = await replayMoving(input, moving)
  const objections = [
    ...objectionsToOtherRamp(build, routing?.ramp),
    ...(isPolled ? [] : [{ reason: `no worker of the build ${name} polls the task queues ${queues}`, cases: [] }]),
    ...(await objectionsToStranding(input, pinned)),
    ...checked.objections,
  ]
  if (objections.length === 0 && !onlyCheck) await setCurrent(input, build, routing)
  return {
    objections,
    previous: routing?.current,
    moving: moving.length,
    replayed: checked.replayed,
    staying: new Map([...pinned].map(([build, flows]) => [build, flows.length])),
  }
}

async function objectionsToStranding(
  input: PromotionInput,
  pinned: ReadonlyMap<string, readonly OpenFlow[]>,
): Promise<Objection[]> {
  const objections = await Promise.all(
    [...pinned].map(async ([build, flows]) => {
      const [flow] = flows
      if (flow === undefined || (await isServed(input, flow, input.queryTimeout ?? defaultQueryTimeout))) return []
      const reason = `no worker answers for the flows that are pinned to the build ${build}`
      return { reason, cases: flows.map(toCaseNo) }
    }),
  )
  return objections.flat()
}

async function replayMoving(input: PromotionInput, moving: readonly OpenFlow[]) {
  async function* histories(): AsyncGenerator<RecordedFlow> {
    for (const flow of evenSample(moving, input.sample)) {
      const history = await findHistory(input, flow)
      if (history !== undefined) yield { workflowId: flow.workflowId, history }
    }
  }
  const cases: string[] = []
  let replayed = 0
  for await (const result of replayEach(input.bundle, histories(), input.dataConverter)) {
    replayed++
    if (result.reason !== undefined) cases.push(`${toCaseNo(result)}: ${result.reason}`)
  }
  const reason = `flows that would move to the build ${toVersionName(input.build)} do not replay with it`
  return { replayed, objections: cases.length > 0 ? [{ reason, cases }] : [] }
}

/** A ramp that no process watches may last forever, and only one build of a deployment can ramp. */
function objectionsToOtherRamp(build: WorkerDeploymentVersion, ramp: Ramp | undefined): Objection[] {
  if (ramp === undefined || toVersionName(ramp.build) === toVersionName(build)) return []
  const other = toVersionName(ramp.build)
  const end = `lockerflow promote --deployment ${ramp.build.deploymentName} --build-id ${ramp.build.buildId}`
  return [
    {
      reason: `${other} ramps at ${ramp.percentage} %. Go on with ${end} --ramp 100, or end it with ${end} --roll-back`,
      cases: [],
    },
  ]
}

/** At most `maximum` of the items, evenly spread over all of them. */
export function evenSample<Item>(items: readonly Item[], maximum = Number.POSITIVE_INFINITY): Item[] {
  if (items.length <= maximum) return [...items]
  return Array.from({ length: maximum }, (_, index) => items[Math.floor((index * items.length) / maximum)] as Item)
}
