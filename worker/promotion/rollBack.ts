import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { findRouting, toVersionName } from '../deployment.ts'
import { wasPinnedBefore } from './firstRun.ts'
import { type Moved, moveBack } from './moveBack.ts'
import { attributes, type ConnectedTarget, inGroups, type OpenFlow, openFlows, quote, toCaseNo } from './openFlows.ts'
import { endRamp } from './routing.ts'

/** The flows that were on a build when it was rolled back, by case number. */
export interface RollBack {
  /** ISO 8601: the moment from which no flow was routed to the build. */
  readonly routedAt: string
  /** Flows that continue on the current build where they were. */
  readonly moved: readonly string[]
  /** Flows that were reset to the moment before their first task on the build: the current build cannot replay what came after. */
  readonly reset: readonly string[]
  /** Flows that could not be moved, with the reason. The workers of the build have to stay for them. */
  readonly left: readonly { readonly caseNo: string; readonly reason: string }[]
  /** Number of flows that were pinned to the build before its ramp. Its workers have to stay for them too. */
  readonly staying: number
}

export interface RollBackInput {
  readonly build: WorkerDeploymentVersion
  readonly current: WorkerDeploymentVersion
  /** The start of the ramp. Undefined if the build no longer ramps: all of its flows then move. */
  readonly since: Date | undefined
  /** Maximum lag of visibility, in milliseconds. */
  readonly lag?: number | undefined
}

/** A flow that was on the build before its ramp, and has continued as new since. */
interface Stays {
  readonly kind: 'stays'
}

const stays: Stays = { kind: 'stays' }

/** Longer than visibility lags, so that a task that ended during the change is seen. Milliseconds. */
const defaultLag = 2_000

/**
 * Stops routing flows to a build, then moves its open flows to the current build. Flows whose first task fails on the
 * build, and those of AUTO_UPGRADE, go back by the routing alone with their next attempt.
 */
export async function rollBack(target: ConnectedTarget, input: RollBackInput): Promise<RollBack> {
  const { build, current, since, lag = defaultLag } = input
  const onBuild = `${attributes.build} = ${quote(toVersionName(build))}`
  // A ramp moves no pinned flow, so an older one was on the build before. Visibility knows the start of the run only.
  const before =
    since && `${attributes.behaviour} = ${quote(attributes.pinned)} AND StartTime < ${quote(since.toISOString())}`
  const byRamp = before === undefined ? onBuild : `${onBuild} AND NOT (${before})`
  await endRamp(target, build)
  const routedAt = new Date().toISOString()
  const results = new Map<string, { flow: OpenFlow; moved: Moved | Stays }>()
  for (let isQuiet = false; !isQuiet; ) {
    await setTimeout(lag)
    const flows = await openFlows(target, byRamp)
    const found = flows.filter(({ runId }) => !results.has(runId))
    const moved = await inGroups(found, async flow =>
      since && (await wasPinnedBefore(target, flow, since)) ? stays : moveBack(target, flow, build, current),
    )
    found.forEach((flow, index) => {
      results.set(flow.runId, { flow, moved: moved[index] ?? { kind: 'moved' } })
    })
    isQuiet = found.length === 0
  }
  const all = [...results.values()]
  const casesOf = (kind: (Moved | Stays)['kind']) =>
    all.filter(({ moved }) => moved.kind === kind).map(({ flow }) => toCaseNo(flow))
  const older = before === undefined ? [] : await openFlows(target, `${onBuild} AND ${before}`)
  return {
    routedAt,
    moved: casesOf('moved'),
    reset: casesOf('reset'),
    left: all.flatMap(({ flow, moved }) =>
      moved.kind === 'left' ? [{ caseNo: toCaseNo(flow), reason: moved.reason }] : [],
    ),
    staying: new Set([...older.map(toCaseNo), ...casesOf('stays')]).size,
  }
}

/**
 * Rolls back a build whose ramp no process watches, or one that was current.
 * @param options `movesOlder` permits it for a build that is older than the current one
 * @throws Error if the build is current or unknown, no build is current, or the build is older and has open flows
 */
export async function rollBackBuild(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  { movesOlder = false }: { readonly movesOlder?: boolean } = {},
): Promise<RollBack> {
  const name = toVersionName(build)
  const routing = await findRouting(target.connection, target.namespace, build.deploymentName)
  const { current, ramp, buildIds = [] } = routing ?? {}
  if (current === undefined) throw new Error('--roll-back: must name a deployment with a current build.')
  if (!buildIds.includes(build.buildId)) {
    const known = `Its builds are ${buildIds.toSorted().join(', ')}.`
    throw new Error(`--build-id: must be a build of ${build.deploymentName}, got "${build.buildId}". ${known}`)
  }
  if (toVersionName(current) === name)
    throw new Error(
      `--roll-back: ${name} is current. Promote the build before it instead, with the code of that build.`,
    )
  const isRamping = ramp !== undefined && toVersionName(ramp.build) === name
  const isOlder = buildIds.indexOf(build.buildId) < buildIds.indexOf(current.buildId)
  if (!isRamping && isOlder && !movesOlder) await rejectOlder(target, name, toVersionName(current))
  return rollBack(target, { build, current, since: isRamping ? ramp.since : undefined })
}

/** A caller who wants to return to an older build may name it here, and its pinned flows are to end there. */
async function rejectOlder(target: ConnectedTarget, name: string, current: string): Promise<void> {
  const { length } = await openFlows(target, `${attributes.build} = ${quote(name)}`)
  if (length === 0) return
  const flows = length === 1 ? '1 open flow' : `${length} open flows`
  throw new Error(
    `--roll-back: ${name} does not ramp, and is older than the current ${current}, to which its ${flows} would move. To return to ${name}, promote it with its own code. To move its flows, add --yes.`,
  )
}
