import { parseArgs } from 'node:util'
import { bookingFlows, parseDuration, type SweepInput } from '#flows'

const usage =
  'npm run sweep -- [--adopt | --cancel] [--case <case number>] [--flow <flow>] [--older-than 15m] [--json] [--schedule 1h | off]'

export interface SweepArguments {
  readonly input: SweepInput
  readonly json: boolean
  /** Milliseconds between two sweeps of the schedule. `off` deletes the schedule. Undefined sweeps once. */
  readonly interval: number | 'off' | undefined
}

/**
 * Reads the command line.
 * @param own the names of the flows that LOCKERFLOW_FLOWS declares
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[], own: readonly string[] = []): SweepArguments {
  const { adopt, cancel, json, flow, case: caseNo, schedule, 'older-than': olderThan } = parseOptions(args)
  if (adopt && cancel) throw usageError('--adopt: must not be combined with --cancel.')
  const flows = [...Object.keys(bookingFlows), ...own]
  if (flow !== undefined && !flows.includes(flow)) {
    throw usageError(`--flow: must be one of ${flows.join(', ')}, or a flow that LOCKERFLOW_FLOWS declares.`)
  }
  if (flow !== undefined && !adopt) throw usageError('--flow: must be combined with --adopt.')
  return {
    input: {
      act: adopt ? 'adopt' : cancel ? 'cancel' : 'list',
      olderThan: requireDuration('--older-than', olderThan),
      ...(flow !== undefined && { flow }),
      ...(caseNo !== undefined && { caseNo }),
    },
    json,
    interval: schedule === undefined || schedule === 'off' ? schedule : requireDuration('--schedule', schedule),
  }
}

function parseOptions(args: readonly string[]) {
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
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

/** Reads milliseconds from `1h` or `every 1h`. */
function requireDuration(option: string, text: string): number {
  const duration = parseDuration(text.replace(/^every\s+/, ''))
  if (duration === undefined) throw usageError(`${option}: must be a duration such as 30m, 1h or 1d, and is "${text}".`)
  return duration
}

function usageError(text: string): Error {
  return new Error(`${text}\n${usage}`)
}
