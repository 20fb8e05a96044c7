import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { findRouting, toVersionName } from '../deployment.ts'
import { type ConnectedTarget, toCaseNo } from './openFlows.ts'
import { type Objection, type Promotion, type PromotionInput, promote } from './promote.ts'
import { reportedFlows, reportedOn } from './reportedProblems.ts'
import { type RollBack, rollBack } from './rollBack.ts'
import { requireRamp, setCurrent, setRamp } from './routing.ts'

export interface RampInput extends PromotionInput {
  /** Shares of the flows in percent, ascending, the last one 100. */
  readonly steps: readonly number[]
  /** Length of each step in milliseconds. */
  readonly watch: number
  /** Milliseconds between two looks at the flows; by default five seconds. */
  readonly interval?: number
  /** Maximum lag of visibility in milliseconds. Default: two seconds. */
  readonly lag?: number
  /** Ends the wait for workers, and rolls back. */
  readonly signal?: AbortSignal
  /** Receives lines about the progress. */
  readonly onProgress?: (line: string) => void
}

/** The outcome of a ramp, which `--json` prints. */
export interface RampReport {
  readonly outcome: 'promoted' | 'rolledBack' | 'refused'
  readonly build: WorkerDeploymentVersion
  readonly previous: WorkerDeploymentVersion | undefined
  readonly objections: readonly Objection[]
  /** The percentages that it reached. */
  readonly steps: readonly number[]
  /** Why the build was rolled back. */
  readonly fault?: string
  readonly rolledBack?: RollBack
}

/** Milliseconds. */
const defaultInterval = 5_000

/**
 * Routes growing shares of the flows to a build, and then makes it the current one. It rolls back as soon as workflow tasks
 * fail on the build. A ramp that another process left behind goes on at its share.
 */
export async function ramp(input: RampInput): Promise<RampReport> {
  const { build, onProgress = () => undefined } = input
  const name = toVersionName(build)
  const checked = await promote({ ...input, onlyCheck: true })
  const report = { build, previous: checked.previous, steps: [] as number[], objections: checked.objections }
  const objections = [...checked.objections, ...objectionsToRamp(build, checked)]
  if (objections.length > 0) return { ...report, outcome: 'refused', objections }
  const { steps, failedBefore } = await begin(input, onProgress)
  const { current, ramp } = await requireRamp(input, build)
  let fault: string | undefined
  for (const percentage of steps) {
    const { routing } = await requireRamp(input, build)
    if (routing.ramp?.percentage !== percentage) await setRamp(input, build, percentage, routing)
    onProgress(`${name} gets ${percentage} % of the flows`)
    report.steps.push(percentage)
    fault = await watchStep(input, failedBefore)
    if (fault !== undefined) break
  }
  if (fault === undefined) {
    const { routing } = await requireRamp(input, build)
    await setCurrent(input, build, routing)
    return { ...report, outcome: 'promoted' }
  }
  onProgress(`${name} is rolled back: ${fault}`)
  const rolledBack = await rollBack(input, { build, current, since: ramp.since, lag: input.lag })
  return { ...report, outcome: 'rolledBack', fault, rolledBack }
}

function objectionsToRamp(build: WorkerDeploymentVersion, { previous }: Promotion): Objection[] {
  const reason =
    previous === undefined
      ? 'the deployment has no current build to go back to. Promote the first build without --ramp'
      : toVersionName(previous) === toVersionName(build)
        ? `${toVersionName(build)} is already current`
        : undefined
  return reason === undefined ? [] : [{ reason, cases: [] }]
}

interface Begun {
  /** The steps that are left. */
  readonly steps: readonly number[]
  /** The runs whose workflow tasks failed before the ramp. */
  readonly failedBefore: ReadonlySet<string>
}

/** Begins the first step of a new ramp, or finds the ramp that exists. */
async function begin(input: RampInput, onProgress: (line: string) => void): Promise<Begun> {
  const { connection, namespace, build, steps } = input
  const routing = await findRouting(connection, namespace, build.deploymentName)
  const { ramp } = routing ?? {}
  if (ramp !== undefined) {
    const since = ramp.since.toISOString()
    onProgress(`${toVersionName(build)} has ramped at ${ramp.percentage} % since ${since}, and goes on from there`)
    return { steps: steps.filter(step => step >= ramp.percentage), failedBefore: new Set() }
  }
  const failedBefore = new Set((await reportedFlows(input)).map(({ runId }) => runId))
  // The check before found a current build. Without its token the ramp could replace that of another command.
  if (routing === undefined) throw new Error(`Temporal no longer finds the deployment ${build.deploymentName}.`)
  await setRamp(input, build, steps[0] ?? 100, routing)
  return { steps, failedBefore }
}

/** Watches the flows until the step is over. Returns why the build must go back, if it must. */
async function watchStep(input: RampInput, failedBefore: ReadonlySet<string>): Promise<string | undefined> {
  const { build, watch, interval = defaultInterval, signal } = input
  const until = Date.now() + watch
  for (;;) {
    const fault = await findFault(input, build, failedBefore)
    if (fault !== undefined) return fault
    if (signal?.aborted) return 'the promotion was interrupted'
    const left = until - Date.now()
    if (left <= 0) return undefined
    await setTimeout(Math.min(interval, left), undefined, { ...(signal && { signal }) }).catch(() => undefined)
  }
}

async function findFault(target: ConnectedTarget, build: WorkerDeploymentVersion, failedBefore: ReadonlySet<string>) {
  try {
    const failing = await reportedOn(target, build, failedBefore)
    if (failing.length === 0) return undefined
    return `workflow tasks fail: ${failing.slice(0, 10).map(toCaseNo).join(', ')}`
  } catch (error) {
    // The connection has retried the call for a while.
    return `Temporal does not answer: ${error instanceof Error ? error.message : String(error)}`
  }
}
