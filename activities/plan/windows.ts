import {
  type CalendarRule,
  findWindowed,
  type PlannedWindow,
  parseDuration,
  readMoment,
  readPath,
  type Values,
} from '#flows'
import type { ClockPoint, Path, PointInTime, Step, Window, WorkingTimePoint } from '#flows/declaration'
import { nonRetryable } from '../failures.ts'
import { maxBookingWindow, type ReadFlowInput } from './input.ts'

/** Milliseconds: the window of a step that books or calls, and of the repetitions of an activity. */
const defaultWindow = 3_600_000

/** Milliseconds. A scaled window must leave time for one attempt. */
export const shortestEffect = 20_000

/** The input of a flow, and the settings of its windows. */
export type ScaledInput = ReadFlowInput & { readonly windowFactor?: number; readonly minWindow?: number }

/**
 * Rejects windows of steps that the flow does not have for this input, or that have no window, and booking windows beyond
 * the life of an idempotency key.
 */
export function rejectWindows(steps: readonly Step[], { windows }: ReadFlowInput): void {
  const allowed = findWindowed(steps)
  const unknown = Object.keys(windows ?? {}).filter(name => !allowed.includes(name))
  if (unknown.length > 0) {
    throw nonRetryable('InvalidFlowInput', `windows: must only name ${allowed.join(', ')}, got ${unknown.join(', ')}.`)
  }
  const tooLong = steps.find(
    step => 'book' in step && (parseDuration(windows?.[step.name] ?? '') ?? 0) > maxBookingWindow,
  )
  if (tooLong === undefined) return
  throw nonRetryable(
    'InvalidFlowInput',
    `windows.${tooLong.name}: must be at most 12h, since services forget idempotency keys after a day.`,
  )
}

/** The length of a window in milliseconds. */
function toLength(
  name: string,
  declared: string | undefined,
  { windows }: ReadFlowInput,
  otherwise = defaultWindow,
): number {
  const text = windows?.[name] ?? declared
  return text === undefined ? otherwise : toMilliseconds(text, name)
}

/** The length of a window in which a fault is retried, in milliseconds. */
export function toEffectLength(
  name: string,
  declared: string | undefined,
  input: ScaledInput,
  otherwise?: number,
): number {
  const length = toLength(name, declared, input, otherwise)
  return Math.max(scale(length, input), Math.min(length, shortestEffect))
}

/** The end of a step, if the input alone decides it. */
export function toWindow(name: string, declared: Window, input: ScaledInput, values: Values): PlannedWindow {
  const text = windows(input, name) ?? declared
  if (text === null) return null
  if (typeof text === 'string') return { length: scale(toMilliseconds(text, name), input) }
  return toMoment(name, text, values, input)
}

/** The end of a step that waits for people. A reminder starts its window again, and a short one would never stop reminding. */
export function toTimedWindow(name: string, declared: Window, input: ScaledInput, values: Values): PlannedWindow {
  const window = toWindow(name, declared, input, values)
  const { minWindow = 0 } = input
  const length = lengthOf(window)
  if (length >= minWindow) return window
  const field = windows(input, name) === undefined ? `steps.${name}.window` : `windows.${name}`
  const text = `${field}: must be at least ${minWindow / 1_000}s in production, got ${length}ms.`
  throw nonRetryable('InvalidFlowInput', text)
}

/** Milliseconds; infinite for a window that does not start again. */
function lengthOf(window: PlannedWindow): number {
  if (window !== null && 'length' in window) return window.length
  const rule = window !== null && 'calendar' in window ? window.calendar : undefined
  return rule !== undefined && 'workingTime' in rule ? rule.workingTime : Number.POSITIVE_INFINITY
}

/** At least a millisecond, with the sign of the length. */
function scale(length: number, { windowFactor = 1 }: ScaledInput): number {
  return Math.sign(length) * Math.ceil(Math.abs(length) * windowFactor)
}

function windows({ windows }: ReadFlowInput, name: string): string | undefined {
  return windows?.[name] ?? undefined
}

/** A moment in the past counts as passed. */
function toMoment(name: string, point: PointInTime, values: Values, input: ScaledInput): PlannedWindow {
  if (!('at' in point)) {
    const from = point.from?.startsWith('input.') ? readInput(name, point.from, values) : point.from
    return { calendar: toRule(name, point), ...(from !== undefined && { from }) }
  }
  const { at, before, after } = point
  const offset = scale(
    (after === undefined ? 0 : toMilliseconds(after, name)) - (before === undefined ? 0 : toMilliseconds(before, name)),
    input,
  )
  return at.startsWith('input.') ? { moment: readInput(name, at, values) + offset } : { at, offset }
}

function toRule(name: string, point: WorkingTimePoint | ClockPoint): CalendarRule {
  if ('workingTime' in point) return { workingTime: toMilliseconds(point.workingTime, name) }
  return { next: point.next, ...(point.workingDay && { workingDay: true }) }
}

function readInput(name: string, path: Path, values: Values): number {
  const moment = readMoment(readPath(values, path))
  if (moment !== undefined) return moment
  const field = path.replace('input.', 'request.')
  throw nonRetryable('InvalidFlowInput', `${field}: must be a moment or a date, since the step ${name} ends by it.`)
}

export function toMilliseconds(text: string, name: string): number {
  const length = parseDuration(text)
  if (length === undefined) throw new Error(`window ${name}: ${text} is not a duration`)
  return length
}
