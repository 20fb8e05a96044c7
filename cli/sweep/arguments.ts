import { bookingFlows, parseDuration, type SweepInput } from '#flows'
import { misuse } from '../command/failure.ts'
import { type Given, isGiven, requireDuration, textOf } from '../command/values.ts'

export interface SweepArguments {
  readonly input: SweepInput
  /** Milliseconds between two sweeps of the schedule. `off` deletes the schedule. Undefined sweeps once. */
  readonly interval: number | 'off' | undefined
}

/**
 * Reads the words after `sweep`.
 * @param own the names of the flows that LOCKERFLOW_FLOWS declares
 * @throws CommandFailure
 */
export function readSweep(given: Given, own: readonly string[] = []): SweepArguments {
  const [adopt, cancel] = [isGiven(given, 'adopt'), isGiven(given, 'cancel')]
  const [flow, caseNo, schedule] = [textOf(given, 'flow'), textOf(given, 'case'), textOf(given, 'schedule')]
  if (adopt && cancel) throw misuse('--adopt: must not be combined with --cancel.')
  const flows = [...Object.keys(bookingFlows), ...own]
  if (flow !== undefined && !flows.includes(flow)) {
    throw misuse(`--flow: must be one of ${flows.join(', ')}, or a flow that LOCKERFLOW_FLOWS declares, got "${flow}".`)
  }
  if (flow !== undefined && !adopt) throw misuse('--flow: must be combined with --adopt.')
  const unused = schedule === 'off' ? { adopt: adopt || undefined, cancel: cancel || undefined, case: caseNo } : {}
  for (const [name, value] of Object.entries(unused))
    if (value !== undefined) throw misuse(`--${name}: must not be combined with --schedule off.`)
  return {
    input: {
      act: adopt ? 'adopt' : cancel ? 'cancel' : 'list',
      olderThan: requireDuration('--older-than', textOf(given, 'olderThan') ?? ''),
      ...(flow !== undefined && { flow }),
      ...(caseNo !== undefined && { caseNo }),
    },
    interval: schedule === undefined || schedule === 'off' ? schedule : readInterval(schedule),
  }
}

/** Reads milliseconds from `1h` or `every 1h`. @throws CommandFailure */
function readInterval(text: string): number {
  const interval = parseDuration(text.replace(/^every\s+/, ''))
  if (interval !== undefined) return interval
  throw misuse(`--schedule: must be off, or a duration such as 1h, at most 3650d, got "${text}".`)
}
