import { misuse } from '../command/failure.ts'
import { type Given, isGiven, requireDuration, textOf } from '../command/values.ts'

export interface PromotionArguments {
  readonly deploymentName: string
  readonly buildId: string
  readonly sample?: number
  readonly onlyCheck: boolean
  /** Milliseconds until the workers of the build must poll. */
  readonly wait: number
  /** Undefined makes the build current at once. */
  readonly ramp?: { readonly steps: readonly number[]; readonly watch: number }
  readonly rollsBack: boolean
  /** A rollback may move the flows of a build that is older than the current one. */
  readonly movesOlder: boolean
}

/** The length of a step that the command line does not give. */
export const defaultWatch = '10m'

/**
 * Reads the words of a promotion. The environment names the build that the command line does not.
 * @throws CommandFailure that names the option
 */
export function readPromote(given: Given, environment: NodeJS.ProcessEnv): PromotionArguments {
  const sample = textOf(given, 'sample')
  const ramp = textOf(given, 'ramp')
  const watch = textOf(given, 'watch')
  const wait = textOf(given, 'wait')
  const onlyCheck = isGiven(given, 'check')
  const rollsBack = isGiven(given, 'rollBack')
  if (sample !== undefined && !/^[1-9]\d{0,8}$/.test(sample))
    throw misuse(`--sample: must be a positive number, got "${sample}".`)
  if ([onlyCheck, ramp !== undefined, rollsBack].filter(Boolean).length > 1)
    throw misuse('--check, --ramp and --roll-back: must be given alone.')
  if (sample !== undefined && rollsBack)
    throw misuse('--sample: must not be given with --roll-back, which replays nothing.')
  if (wait !== undefined && rollsBack)
    throw misuse('--wait: must not be given with --roll-back, which needs no worker of the build.')
  const movesOlder = isGiven(given, 'yes')
  if (movesOlder && !rollsBack) throw misuse('--yes: must be combined with --roll-back.')
  if (watch !== undefined && ramp === undefined) throw misuse('--watch: must be combined with --ramp.')
  return {
    deploymentName: requireName('--deployment', textOf(given, 'deployment'), 'LOCKERFLOW_DEPLOYMENT', environment),
    buildId: requireName('--build-id', textOf(given, 'buildId'), 'LOCKERFLOW_BUILD_ID', environment),
    ...(sample !== undefined && { sample: Number(sample) }),
    onlyCheck,
    wait: wait === undefined ? 0 : requireDuration('--wait', wait),
    ...(ramp !== undefined && {
      ramp: { steps: readSteps(ramp), watch: requireDuration('--watch', watch ?? defaultWatch) },
    }),
    rollsBack,
    movesOlder,
  }
}

/**
 * Returns a warning if the environment names another build: the code of the command is then that of the other one, and
 * replays prove nothing about the build. It is no refusal, because the variable may be that of another process.
 */
export function findOtherBuild(
  { buildId, rollsBack }: PromotionArguments,
  { LOCKERFLOW_BUILD_ID: own }: NodeJS.ProcessEnv,
): string | undefined {
  // A rollback replays nothing with the code of the command.
  if (rollsBack || !own || own === buildId) return undefined
  const fault = `--build-id: expected "${own}", the build of this code by LOCKERFLOW_BUILD_ID, got "${buildId}".`
  return `${fault} The check replays flows with the code of this command, so run it with the code of "${buildId}".`
}

function requireName(option: string, text: string | undefined, variable: string, environment: NodeJS.ProcessEnv) {
  const name = text ?? environment[variable]
  if (name) return name
  throw misuse(`${option}: must be given, or ${variable} must be set.`)
}

function readSteps(text: string): number[] {
  const steps = text.split(',').map(Number)
  const isAscending = steps.every((step, index) => step > (steps[index - 1] ?? 0))
  if (isAscending && steps.at(-1) === 100) return steps
  throw misuse(`--ramp: must be ascending percentages that end with 100, such as 5,25,100, got "${text}".`)
}
