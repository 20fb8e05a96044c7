import { ApplicationFailure } from '@temporalio/common'
import type { Calendars } from '#activities/calendars'
import { type ErrorCode, isRecord } from '#contract/terms'
import { flows as builtIn, type RunCall } from '#flows'
import { checkFlows, rejectFaults } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'

/** An activity of a run step, or one that undoes it. The interface of its arguments: RunCall, UndoRun. */
export type OwnActivity = (input: never, call: RunCall) => unknown

/** The flows and activities that a team adds to a worker. */
export interface OwnFlows {
  readonly flows?: readonly FlowDeclaration[]
  /** By name. Steps with a task queue of their own run elsewhere. */
  readonly activities?: Readonly<Record<string, OwnActivity>>
}

/**
 * Checks the flows and activities of a worker.
 * @param names of the activities that the worker has without them
 * @throws Error with a line for each fault
 */
export function checkOwnFlows(
  {
    flows = [],
    activities = {},
    catalogue = {},
    calendars,
  }: OwnFlows & {
    readonly catalogue?: Readonly<Record<string, FlowDeclaration>> | undefined
    readonly calendars?: Calendars | undefined
  },
  names: readonly string[],
): void {
  // Temporal's SDK ignores values other than functions.
  const own = Object.keys(activities).filter(name => typeof activities[name] === 'function')
  rejectTaken(own, names)
  const options = { taken: Object.keys(builtIn), activities: own }
  rejectFaults(checkFlows(flows, { ...options, calendars: calendars !== undefined }))
  rejectFaults(checkFlows(Object.values(catalogue)))
}

/**
 * @param at the subject of the error
 * @throws Error if activities have the names of built-in ones
 */
export function rejectTaken(activities: readonly string[], builtInNames: readonly string[], at = 'activities: '): void {
  const taken = activities.filter(name => builtInNames.includes(name))
  if (taken.length > 0) throw new Error(`${at}must not have the names of built-in ones: ${taken.join(', ')}.`)
}

/** Bytes. Temporal refuses a result of over two megabytes, and retries an attempt whose result has over four. */
const maxResult = 1.5 * 1_024 * 1_024

/**
 * The activities with a check of their results. Temporal's SDK retries an attempt whose result it cannot encode until the
 * window has passed, and encodes a function so that no workflow task can read it.
 */
export function withCheckedResults(activities: OwnFlows['activities'] = {}): NonNullable<OwnFlows['activities']> {
  const functions = Object.entries(activities).filter(([, activity]) => typeof activity === 'function')
  return Object.fromEntries(
    functions.map(([name, activity]) => {
      const checked: OwnActivity = async (...given) => checkResult(name, await activity(...given))
      // A function can have options of Temporal's SDK.
      return [name, Object.assign(checked, activity)]
    }),
  )
}

/** @throws ApplicationFailure with the code of a result that no flow can keep */
function checkResult(activity: string, result: unknown): unknown {
  if (result === undefined) return result
  const size = payloadSize(result)
  if (size === undefined) {
    const field = isRecord(result) ? Object.keys(result).find(name => !canBeEncoded(result, name)) : undefined
    const at = field === undefined ? 'result' : `result.${field}`
    throw invalid('InvalidActivityResult', `${activity}: ${at}: must be a value that JSON can represent.`)
  }
  if (size > maxResult)
    throw invalid('OutputTooLarge', `${activity} must have at most ${maxResult} bytes, got ${size}.`)
  return result
}

function invalid(code: ErrorCode, fault: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`The result of the activity ${fault}`, code)
}

/** False also for a field whose getter throws. */
function canBeEncoded(result: Readonly<Record<string, unknown>>, field: string): boolean {
  try {
    return result[field] === undefined || payloadSize(result[field]) !== undefined
  } catch {
    return false
  }
}

/** The bytes of a value in a payload. Undefined for a value that JSON cannot represent. */
function payloadSize(value: unknown): number | undefined {
  if (value instanceof Uint8Array) return value.length
  try {
    const text: string | undefined = JSON.stringify(value)
    return text === undefined ? undefined : Buffer.byteLength(text)
  } catch {
    return undefined
  }
}
