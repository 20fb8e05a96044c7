import type { WorkerDeploymentVersion } from '@temporalio/common'
import { isOpenRun, searchAttributes } from '#flows'
import { toVersionName } from '../deployment.ts'
import { attributes, type ConnectedTarget, inQueue, quote } from './openFlows.ts'

/** Flows of a build since a moment, as visibility counts them. */
export interface BuildFigures {
  readonly started: number
  /** Flows that failed: the service refused them, or their input was invalid. */
  readonly refused: number
  /** Open flows that wait for a decision after a window has passed. */
  readonly overdue: number
}

/** A share of bad flows that is less probable than this counts as worse. */
const significance = 0.01

/** Fewer flows prove nothing. */
export const minimumFlows = 3

/** Counts the flows of a build. Notifications and sweeps are not counted. */
export async function countFlows(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  since: Date,
): Promise<BuildFigures> {
  const { connection, namespace } = target
  const started = [
    inQueue(target),
    `${attributes.build} = ${quote(toVersionName(build))}`,
    `${searchAttributes.flow.name} IS NOT NULL`,
    `StartTime >= ${quote(since.toISOString())}`,
  ]
  const count = async (...more: readonly string[]) => {
    const query = [...started, ...more].join(' AND ')
    return Number((await connection.workflowService.countWorkflowExecutions({ namespace, query })).count)
  }
  return {
    started: await count(),
    refused: await count("ExecutionStatus = 'Failed'"),
    overdue: await count(isOpenRun, `${searchAttributes.overdue.name} = true`),
  }
}

/**
 * True when a build as good as the current one would have that many bad flows with a probability under one percent. If
 * the current build has no flows, nearly all flows of the build must be bad: seven of seven, or ten of eleven.
 */
export function isWorse(
  kind: 'refused' | 'overdue',
  { build, current }: { readonly build: BuildFigures; readonly current: BuildFigures },
): boolean {
  return isShareWorse([build[kind], build.started], [current[kind], current.started])
}

/** A number of bad flows, and of all flows. */
type Share = readonly [bad: number, all: number]

/** Compares the share of bad flows of a build with that of the current one. */
export function isShareWorse([bad, all]: Share, [badNow, allNow]: Share): boolean {
  if (bad < minimumFlows) return false
  // By Laplace: a build without a bad flow may still have one next time.
  const expected = (badNow + 1) / (allNow + 2)
  return atLeast(bad, Math.max(all, bad), expected) < significance
}

/** The probability of at least `successes` in `trials`, if each has the given one. */
export function atLeast(successes: number, trials: number, probability: number): number {
  let below = 0
  // By logarithms, since the powers of large numbers underflow.
  let term = trials * Math.log1p(-probability)
  for (let n = 0; n < successes; n++) {
    below += Math.exp(term)
    term += Math.log(trials - n) - Math.log(n + 1) + Math.log(probability) - Math.log1p(-probability)
  }
  return Math.max(0, 1 - below)
}
