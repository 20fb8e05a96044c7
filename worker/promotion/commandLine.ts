import { parseArgs } from 'node:util'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toVersionName } from '../deployment.ts'
import type { Promotion } from './promote.ts'

const usage = 'npm run promote -- --deployment lockerflow --build-id 2026-11-20 [--sample 500] [--check]'

export interface PromotionArguments {
  /** The part of the build that the command line names. The environment supplies the rest. */
  readonly version: Partial<WorkerDeploymentVersion>
  readonly sample?: number
  readonly onlyCheck: boolean
}

/**
 * Reads the command line.
 * @throws an Error with the usage
 */
export function readArguments(args: readonly string[]): PromotionArguments {
  const { deployment, 'build-id': buildId, sample, check } = parseValues(args)
  if (sample !== undefined && !/^[1-9]\d{0,8}$/.test(sample))
    throw new Error(`--sample must be a positive number. Usage: ${usage}`)
  return {
    version: { ...(deployment && { deploymentName: deployment }), ...(buildId && { buildId }) },
    ...(sample !== undefined && { sample: Number(sample) }),
    onlyCheck: check,
  }
}

function parseValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        deployment: { type: 'string' },
        'build-id': { type: 'string' },
        sample: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} Usage: ${usage}`)
  }
}

/** The outcome of a promotion, as lines of text. */
export function toReport(build: WorkerDeploymentVersion, onlyCheck: boolean, promotion: Promotion): string[] {
  const { objections, previous, moving, replayed, staying } = promotion
  const name = toVersionName(build)
  const refused = objections.length > 0
  return [
    `${flows(moving)} ${moving === 1 ? 'moves' : 'move'} to ${name}; ${replayed} replayed with it`,
    ...[...staying].map(
      ([old, count]) =>
        `${flows(count)} ${count === 1 ? 'stays' : 'stay'} on ${old}, whose workers are needed until then`,
    ),
    ...objections.flatMap(({ reason, cases }) => [`refused: ${reason}`, ...cases.map(each => `  ${each}`)]),
    refused || onlyCheck
      ? `${previous === undefined ? 'no build' : toVersionName(previous)} stays current`
      : `${name} is current, before it was ${previous === undefined ? 'no build' : toVersionName(previous)}`,
    ...(onlyCheck && !refused ? [`${name} can be promoted`] : []),
  ]
}

function flows(count: number): string {
  return count === 1 ? '1 open flow' : `${count} open flows`
}
