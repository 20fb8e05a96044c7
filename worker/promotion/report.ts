import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersionName } from '../deployment.ts'
import type { Promotion } from './promote.ts'
import type { RampReport } from './ramp.ts'
import type { RollBack } from './rollBack.ts'

/** The outcome of a promotion, as lines of text. */
export function toReport(build: WorkerDeploymentVersion, onlyCheck: boolean, promotion: Promotion): string[] {
  const { objections, previous, moving, replayed, staying } = promotion
  const name = toVersionName(build)
  const refused = objections.length > 0
  const isCurrent = previous !== undefined && toVersionName(previous) === name
  return [
    `${flows(moving)} ${moving === 1 ? 'moves' : 'move'} to ${name}; ${replayed} replayed with it`,
    ...[...staying].map(
      ([old, count]) =>
        `${flows(count)} ${count === 1 ? 'stays' : 'stay'} on ${old}, whose workers are needed until then`,
    ),
    ...objections.flatMap(({ reason, cases }) => [`refused: ${reason}`, ...cases.map(each => `  ${each}`)]),
    ...(isCurrent && !refused ? [`${name} is already current`] : toOutcome(name, previous, refused, onlyCheck)),
  ]
}

function toOutcome(
  name: string,
  previous: WorkerDeploymentVersion | undefined,
  refused: boolean,
  onlyCheck: boolean,
): string[] {
  const before = previous === undefined ? 'no build' : toVersionName(previous)
  if (refused) return [`${before} stays current`]
  return onlyCheck
    ? [`${before} stays current`, `${name} can be promoted`]
    : [`${name} is now current, instead of ${before}`]
}

function flows(count: number): string {
  return count === 1 ? '1 open flow' : `${count} open flows`
}

/** The outcome of a ramp, as lines of text. */
export function toRampReport({ build, previous, outcome, objections, fault, rolledBack }: RampReport): string[] {
  const name = toVersionName(build)
  const before = previous === undefined ? 'no build' : toVersionName(previous)
  return [
    ...objections.flatMap(({ reason, cases }) => [`refused: ${reason}`, ...cases.map(each => `  ${each}`)]),
    ...(rolledBack ? toRollBackReport(build, rolledBack) : []),
    outcome === 'promoted'
      ? `${name} is now current, instead of ${before}`
      : `${before} stays current${fault === undefined ? '' : `: ${fault}`}`,
  ]
}

/** The flows of a build that was rolled back, as lines of text. */
export function toRollBackReport(build: WorkerDeploymentVersion, { moved, reset, left, staying }: RollBack): string[] {
  return [
    `${toVersionName(build)} gets no more flows: ${flows(moved.length)} moved back, ${flows(reset.length)} reset, ${flows(left.length)} left`,
    ...reset.map(caseNo => `  reset: ${caseNo}`),
    ...left.map(({ caseNo, reason }) => `  left: ${caseNo}: ${reason}`),
    ...(staying === 0
      ? []
      : [
          `${flows(staying)} pinned to it before the ramp ${staying === 1 ? 'stays' : 'stay'}, and its workers are needed until then`,
        ]),
  ]
}
