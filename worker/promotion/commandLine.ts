import { parseArgs } from 'node:util'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { parseDuration } from '#contract/terms'

const usage =
  'npm run promote -- --deployment lockerflow --build-id 2026-11-20 [--sample 500] [--check] [--ramp 5,25,100 --watch 10m] [--roll-back] [--json]'

export interface PromotionArguments {
  /** The part of the build that the command line names. The environment supplies the rest. */
  readonly version: Partial<WorkerDeploymentVersion>
  readonly sample?: number
  readonly onlyCheck: boolean
  /** Undefined makes the build current at once. */
  readonly ramp?: { readonly steps: readonly number[]; readonly watch: number }
  readonly rollsBack: boolean
  readonly json: boolean
}

/** The length of a step that the command line does not give. */
const defaultWatch = '10m'

/**
 * Reads the command line.
 * @throws an Error with the usage
 */
export function readArguments(args: readonly string[]): PromotionArguments {
  const {
    deployment,
    'build-id': buildId,
    sample,
    check,
    ramp,
    watch,
    'roll-back': rollsBack,
    json,
  } = parseValues(args)
  if (sample !== undefined && !/^[1-9]\d{0,8}$/.test(sample))
    throw new Error(`--sample must be a positive number. Usage: ${usage}`)
  if ([check, ramp !== undefined, rollsBack].filter(Boolean).length > 1)
    throw new Error(`--check, --ramp and --roll-back: must be given alone. Usage: ${usage}`)
  if (watch !== undefined && ramp === undefined)
    throw new Error(`--watch: must be combined with --ramp. Usage: ${usage}`)
  return {
    version: { ...(deployment && { deploymentName: deployment }), ...(buildId && { buildId }) },
    ...(sample !== undefined && { sample: Number(sample) }),
    onlyCheck: check,
    ...(ramp !== undefined && { ramp: { steps: readSteps(ramp), watch: readWatch(watch ?? defaultWatch) } }),
    rollsBack,
    json,
  }
}

function readSteps(text: string): number[] {
  const steps = text.split(',').map(Number)
  const isAscending = steps.every((step, index) => step > (steps[index - 1] ?? 0))
  if (isAscending && steps.at(-1) === 100) return steps
  throw new Error(`--ramp must be ascending percentages that end with 100, such as 5,25,100. Usage: ${usage}`)
}

/** Milliseconds. */
function readWatch(text: string): number {
  const watch = parseDuration(text)
  if (watch !== undefined) return watch
  throw new Error(`--watch must be a duration such as 10m. Usage: ${usage}`)
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
        ramp: { type: 'string' },
        watch: { type: 'string' },
        'roll-back': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} Usage: ${usage}`)
  }
}
