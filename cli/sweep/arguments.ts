import { parseArgs } from 'node:util'
import { milliseconds, type SweepOrder } from '#contract/terms'
import { flows } from '#workflows/flows'

const usage =
  'npm run sweep -- [--adopt | --cancel] [--case <case number>] [--flow <flow>] [--older-than 15m] [--json] [--schedule 1h | off]'

/** What the command is asked to do. */
export interface SweepArguments {
  readonly order: SweepOrder
  readonly json: boolean
  /** Milliseconds between two sweeps that Temporal is to start by itself; `off` ends them, undefined sweeps now. */
  readonly every: number | 'off' | undefined
}

/** Reads the command line. Throws an Error with the usage. */
export function readArguments(args: readonly string[]): SweepArguments {
  const { adopt, cancel, json, flow, case: caseNo, schedule, 'older-than': olderThan } = optionsOf(args)
  if (adopt && cancel) throw wrong('--adopt and --cancel exclude each other')
  if (flow !== undefined && !Object.hasOwn(flows, flow))
    throw wrong(`--flow: there are ${Object.keys(flows).join(', ')}`)
  if (flow !== undefined && !adopt) throw wrong('--flow says which flow is to --adopt')
  return {
    order: {
      act: adopt ? 'adopt' : cancel ? 'cancel' : 'list',
      olderThan: lengthOf('--older-than', olderThan),
      ...(flow !== undefined && { flow }),
      ...(caseNo !== undefined && { caseNo }),
    },
    json,
    every: schedule === undefined || schedule === 'off' ? schedule : lengthOf('--schedule', schedule),
  }
}

function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        adopt: { type: 'boolean', default: false },
        cancel: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        flow: { type: 'string' },
        case: { type: 'string' },
        schedule: { type: 'string' },
        'older-than': { type: 'string', default: '15m' },
      },
    }).values
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** Milliseconds; `every 1h` is read like `1h`. */
function lengthOf(option: string, text: string): number {
  const length = milliseconds(text.replace(/^every\s+/, ''))
  if (length === undefined) throw wrong(`${option}: ${text} is not a duration such as 30m, 1h or 1d`)
  return length
}

function wrong(text: string): Error {
  return new Error(`${text}\n${usage}`)
}
