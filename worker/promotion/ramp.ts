import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { findRouting, toVersionName } from '../deployment.ts'
import { type Compared, findFault, type Measurement, measure } from './measure.ts'
import { type Objection, type Promotion, type PromotionInput, promote } from './promote.ts'
import { type RampStep, toStepLine } from './rampStep.ts'
import { reportedFlows } from './reportedProblems.ts'
import { type RollBack, rollBack } from './rollBack.ts'
import { requireRamp, setCurrent, setRamp } from './routing.ts'

export interface RampInput extends PromotionInput {
  /** Shares of the flows in percent, ascending, the last one 100. */
  readonly steps: readonly number[]
  /** Length of each step in milliseconds. */
  readonly watch: number
  /** Milliseconds between two measurements; by default five seconds. */
  readonly interval?: number
  /** The longest lag of visibility in milliseconds; by default two seconds. */
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
  readonly steps: readonly RampStep[]
  /** Why the build was rolled back. */
  readonly fault?: string
  readonly rolledBack?: RollBack
}

/** Milliseconds. */
const defaultInterval = 5_000

/** A build that nothing measures is rolled back. Milliseconds. */
const longestSilence = 30_000

/** The current build is compared with its own flows of at least this time. Milliseconds. */
const shortestPast = 3_600_000

/**
 * Routes growing shares of the flows to a build, as long as it is not worse than the current one, and then makes it the
 * current one. Else it rolls back. A ramp that another process left behind goes on at its share.
 */
export async function ramp(input: RampInput): Promise<RampReport> {
  const { build, watch, onProgress = () => undefined } = input
  const name = toVersionName(build)
  const checked = await promote({ ...input, onlyCheck: true })
  const report = { build, previous: checked.previous, steps: [] as RampStep[], objections: checked.objections }
  const objections = [...checked.objections, ...objectionsToRamp(build, checked)]
  if (objections.length > 0) return { ...report, outcome: 'refused', objections }
  const { steps, failedBefore } = await begin(input, onProgress)
  const { current, ramp } = await requireRamp(input, build)
  const before = new Date(ramp.since.getTime() - Math.max(watch, shortestPast))
  const compared: Compared = { build, current, since: ramp.since, before, failedBefore }
  let fault: string | undefined
  for (const percentage of steps) {
    const { routing } = await requireRamp(input, build)
    if (routing.ramp?.percentage !== percentage) await setRamp(input, build, percentage, routing)
    onProgress(`${name} gets ${percentage} % of the flows`)
    const watched = await watchStep(input, compared)
    const step = { percentage, measured: watched.measured }
    report.steps.push(step)
    fault = watched.fault
    if (fault !== undefined) break
    // The report, which follows the last step, has all of them.
    if (percentage !== steps.at(-1)) onProgress(toStepLine(step))
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
      ? 'the deployment has no current build to compare with or to go back to. Promote the first build without --ramp'
      : toVersionName(previous) === toVersionName(build)
        ? `${toVersionName(build)} is already current`
        : undefined
  return reason === undefined ? [] : [{ reason, cases: [] }]
}

interface Begun extends Pick<Compared, 'failedBefore'> {
  /** The steps that are left. */
  readonly steps: readonly number[]
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

/** Measures until the step is over or the build is worse. */
async function watchStep(input: RampInput, compared: Compared) {
  const { watch, interval = defaultInterval, signal, onProgress } = input
  const until = Date.now() + watch
  let [measured, answeredAt]: [Measurement | undefined, number] = [undefined, Date.now()]
  let unmeasured: string | undefined
  for (;;) {
    let fault: string | undefined
    try {
      measured = await measure(input, compared)
      answeredAt = Date.now()
      fault = findFault(measured)
    } catch (error) {
      unmeasured = `not measured: ${error instanceof Error ? error.message : String(error)}`
      onProgress?.(unmeasured)
      if (Date.now() - answeredAt > longestSilence) fault = unmeasured
    }
    if (signal?.aborted) fault = 'the promotion was interrupted'
    const left = until - Date.now()
    // A step of any length needs a measurement.
    if (left <= 0 && measured === undefined) fault ??= unmeasured
    if (fault !== undefined || left <= 0) return { measured, fault }
    await setTimeout(Math.min(interval, left), undefined, { ...(signal && { signal }) }).catch(() => undefined)
  }
}
