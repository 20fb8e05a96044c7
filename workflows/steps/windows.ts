import type { CalendarWindow, GoTo, PlannedAsk, PlannedBlock, PlannedStep, PlannedWait, PlannedWindow } from '#flows'
import { readMoment, readPath } from '#flows'
import { type FlowProgress, toValues } from '../progress.ts'
import type { Token } from '../tokens.ts'

export type TimedStep = PlannedWait | PlannedAsk | PlannedBlock

/** The steps whose window has a declared policy. Activities of the other kinds have windows of their own. */
export function findTimed(step: PlannedStep | undefined): TimedStep | undefined {
  return step !== undefined && 'onTimeout' in step ? step : undefined
}

/** The moment at which a window ends that begins now, in milliseconds since 1970; null without one. */
export function toDeadline(
  progress: FlowProgress,
  { id }: Token,
  window: Exclude<PlannedWindow, CalendarWindow>,
  now: number,
): number | null {
  if (window === null) return null
  if ('length' in window) return now + window.length
  if ('moment' in window) return window.moment
  const moment = readOutput(progress, id, window.at)
  return moment === null ? null : moment + window.offset
}

/** The moment from which a calendar counts, in milliseconds since 1970; null for an output without one. */
export function toStart(progress: FlowProgress, { id }: Token, { from }: CalendarWindow, now: number): number | null {
  return typeof from === 'string' ? readOutput(progress, id, from) : (from ?? now)
}

/** The end of a step, as the plan has it. */
export function windowOf(step: PlannedStep): PlannedWindow {
  if (step.kind === 'sleep') return step.until
  return typeof step.window === 'number' ? { length: step.window } : step.window
}

/** Undefined for a step whose end no calendar decides. */
function calendarWindowOf(step: PlannedStep | undefined): CalendarWindow | undefined {
  const window = step === undefined ? null : windowOf(step)
  return window !== null && 'calendar' in window ? window : undefined
}

/** True for a window that can start again: a length, or working time from the start of the step. */
export function canRestart(step: PlannedStep | undefined): boolean {
  if (toLength(step) !== null) return true
  const window = calendarWindowOf(step)
  return window !== undefined && window.from === undefined
}

function readOutput(progress: FlowProgress, scope: string, path: string): number | null {
  return readMoment(readPath(toValues(progress, scope), path)) ?? null
}

/** The length of the step's window, for a decision that extends it; null for a window that ends at a moment. */
export function toLength(step: PlannedStep | undefined): number | null {
  const window = findTimed(step)?.window ?? null
  return window !== null && 'length' in window ? window.length : null
}

/**
 * The index of the step that a policy or an error leads to: beyond the plan for the end of the flow from inside of a block.
 * @throws Error for an earlier step, or one of another plan
 */
export function toIndex({ plan }: FlowProgress, { step, to, up }: Token, { goTo }: GoTo): number {
  if (goTo === 'end') return up === null ? to : plan.steps.length + 1
  if (goTo === 'done') return to
  const found = plan.steps.findIndex(({ name }, position) => position > step && position < to && name === goTo)
  if (found < 0) throw new Error(`Step ${plan.steps[step]?.name} leads to ${goTo}, which the plan does not have.`)
  return found
}

export function isGoTo(policy: PlannedWait['onTimeout']): policy is GoTo {
  return typeof policy === 'object' && policy !== null
}

/** Undefined for a code that the step does not name: the flow fails. */
export function policyFor(step: PlannedStep, code: string) {
  // An activity of a team can fail with any code, also with the name of a member of every object.
  if (!('onError' in step) || step.onError === undefined) return undefined
  const { onError } = step
  return Object.hasOwn(onError, code) ? onError[code] : Object.hasOwn(onError, 'other') ? onError.other : undefined
}
