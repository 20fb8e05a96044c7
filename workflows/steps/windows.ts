import type { PlannedAsk, PlannedStep, PlannedWait, PlannedWindow } from '#flows'
import { readMoment, readPath } from '#flows'
import { currentStep, type FlowProgress, toValues } from '../progress.ts'

/** The kinds of steps whose window has a declared policy. Activities of the other kinds have windows of their own. */
export function findTimed(step: PlannedStep | undefined): PlannedWait | PlannedAsk | undefined {
  return step?.kind === 'wait' || step?.kind === 'ask' ? step : undefined
}

/** The moment at which a window ends that begins now, in milliseconds since 1970; null without one. */
export function toDeadline(progress: FlowProgress, window: PlannedWindow, now: number): number | null {
  if (window === null) return null
  if ('length' in window) return now + window.length
  if ('moment' in window) return window.moment
  const moment = readMoment(readPath(toValues(progress), window.at))
  return moment === undefined ? null : moment + window.offset
}

/** The length of the step's window, for a decision that extends it; null for a window that ends at a moment. */
export function toLength(step: PlannedStep | undefined): number | null {
  const window = findTimed(step)?.window ?? null
  return window !== null && 'length' in window ? window.length : null
}

/** The deadline after a reminder: the window starts again. A moment has no second reminder. */
export function toNextDeadline({ window }: PlannedWait | PlannedAsk, now: number): number | null {
  return window !== null && 'length' in window ? now + window.length : null
}

/** The index of the step that a policy or an error leads to. @throws Error for an earlier step, or one of another plan */
export function toIndex(progress: FlowProgress, target: string): number {
  const { plan, step } = progress
  if (target === 'end') return plan.steps.length
  const index = plan.steps.findIndex(({ name }, position) => position > step && name === target)
  if (index < 0)
    throw new Error(`Step ${currentStep(progress)?.name} leads to ${target}, which the plan does not have.`)
  return index
}

export function isGoTo(policy: PlannedWait['onTimeout']): policy is { readonly goTo: string } {
  return typeof policy === 'object' && policy !== null
}
