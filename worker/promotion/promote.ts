import type { WorkflowBundleOption } from '@temporalio/worker'
import { type Build, nameOf, type Routing, routingOf } from '../deployment.ts'
import { type RecordedFlow, replayEach } from '../replay.ts'
import { caseOf, historyOf, type OpenFlow, openFlows, type Place } from './openFlows.ts'
import { answersFor, pollingBuilds } from './pollers.ts'
import { sampleOf } from './sample.ts'

export interface PromotionOrder extends Place {
  readonly build: Build
  /** The one that the workers of the build run. */
  readonly bundle: WorkflowBundleOption
  /** How many flows that would move are replayed at most; all of them when left out. */
  readonly sample?: number
  /** How long a worker of an old build may take to answer, in milliseconds. */
  readonly patience?: number
  /** Only the checks. */
  readonly onlyCheck?: boolean
}

/** Why a build is not promoted, and the case numbers that it is about, each with what is wrong with it. */
export interface Objection {
  readonly why: string
  readonly cases: readonly string[]
}

export interface Promotion {
  /** Empty when nothing speaks against the build. */
  readonly objections: readonly Objection[]
  /** The build that was current before. */
  readonly before: Build | undefined
  /** How many open flows move to the build, and how many of them were replayed with it. */
  readonly moving: number
  readonly replayed: number
  /** How many open flows are pinned to each other build: its workers have to stay for them. */
  readonly staying: ReadonlyMap<string, number>
}

/** Long enough to replay a flow that the worker does not have in memory. */
const usualPatience = 10_000

/**
 * Makes a build the current one of its deployment, unless that would strand an open flow: nobody takes the tasks of
 * the build, a flow that would move to it does not replay with it, or a flow is pinned to a build without workers.
 */
export async function promote(order: PromotionOrder): Promise<Promotion> {
  const { connection, namespace, build, onlyCheck = false } = order
  const name = nameOf(build)
  // Before everything else: its token makes the promotion fail if somebody else promotes while we look.
  const routing = await routingOf(connection, namespace, build.deploymentName)
  const open = await openFlows(order)
  const pinned = Map.groupBy(
    open.filter(flow => flow.pinned && flow.build !== name),
    flow => flow.build ?? '',
  )
  const moving = open.filter(flow => !flow.pinned && flow.build !== name)
  const checked = await replayMoving(order, moving)
  const objections = [
    ...(await objectionsToPollers(order)),
    ...(await objectionsToStranding(order, pinned)),
    ...checked.objections,
  ]
  if (objections.length === 0 && !onlyCheck) await makeCurrent(order, routing)
  return {
    objections,
    before: routing?.current,
    moving: moving.length,
    replayed: checked.replayed,
    staying: new Map([...pinned].map(([build, flows]) => [build, flows.length])),
  }
}

async function objectionsToPollers(order: PromotionOrder): Promise<Objection[]> {
  const name = nameOf(order.build)
  if ((await pollingBuilds(order)).has(name)) return []
  return [{ why: `no worker of the build ${name} polls the task queue ${order.taskQueue}`, cases: [] }]
}

async function objectionsToStranding(
  order: PromotionOrder,
  pinned: ReadonlyMap<string, readonly OpenFlow[]>,
): Promise<Objection[]> {
  const objections = await Promise.all(
    [...pinned].map(async ([build, flows]) => {
      const [flow] = flows
      if (flow === undefined || (await answersFor(order, flow, order.patience ?? usualPatience))) return []
      return { why: `no worker answers for the flows that are pinned to the build ${build}`, cases: flows.map(caseOf) }
    }),
  )
  return objections.flat()
}

async function replayMoving(order: PromotionOrder, moving: readonly OpenFlow[]) {
  async function* histories(): AsyncGenerator<RecordedFlow> {
    for (const flow of sampleOf(moving, order.sample)) {
      const history = await historyOf(order, flow)
      if (history !== undefined) yield { workflowId: flow.workflowId, history }
    }
  }
  const cases: string[] = []
  let replayed = 0
  for await (const { workflowId, reason } of replayEach(order.bundle, histories())) {
    replayed++
    if (reason !== undefined) cases.push(`${caseOf({ workflowId })}: ${reason}`)
  }
  const why = `flows that would move to the build ${nameOf(order.build)} do not replay with it`
  return { replayed, objections: cases.length > 0 ? [{ why, cases }] : [] }
}

async function makeCurrent({ connection, namespace, build }: PromotionOrder, routing: Routing | undefined) {
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...build,
    ...(routing && { conflictToken: routing.token }),
  })
}
