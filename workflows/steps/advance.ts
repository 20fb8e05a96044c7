import type { PlannedStep } from '#flows'
import { type PlannedFlow, recordRejection, setBooking, setState } from '../context.ts'
import { notify } from '../notifications/start.ts'
import { toNextPoll } from '../poll.ts'
import { currentStep, firstBooking } from '../progress.ts'
import { findTimed, toDeadline } from './windows.ts'

/** The step was completed, left out, or given up for a later one. */
export type Cause = 'reached' | 'skipped' | 'timedOut' | 'error'

/** Goes on to another step, which is entered next. */
export function advance(flow: PlannedFlow, to: number, cause: Cause): void {
  const { progress } = flow
  const step = currentStep(progress)
  if (cause !== 'skipped' && step !== undefined) flow.runtime.countStep(step.name, cause)
  if (cause === 'reached') {
    if (step?.kind === 'wait') notify(flow, 'flow.stageReached')
    noteLeftOver(flow, step)
  }
  progress.step = to
  progress.entered = false
  progress.deadline = null
  // Nothing is booked in a step that was left out, so nothing else answers the callers that wait for it.
  const first = firstBooking(progress.plan)
  if (first !== undefined && to > first.index) setBooking(flow, 'booked')
}

/** Begins a step: from now on its window runs. */
export function enterStep(flow: PlannedFlow, step: PlannedStep): void {
  const { progress } = flow
  const now = flow.runtime.now()
  if (step.kind !== 'book' || progress.step > 0) setState(flow, 'waiting')
  progress.entered = true
  progress.since = now
  progress.deadline = deadlineOf(flow, step, now)
  progress.pollCount = 0
  progress.nextPoll = toNextPoll(progress, now)
  const isTimed = findTimed(step) !== undefined || step.kind === 'sleep'
  if (isTimed && progress.deadline !== null && progress.deadline <= now) {
    recordRejection(flow, `${step.name}: the moment at which it ends has passed already`)
  }
  if (step.kind === 'ask') notify(flow, 'flow.asked')
}

function deadlineOf({ progress }: PlannedFlow, step: PlannedStep, now: number): number | null {
  return toDeadline(progress, step.kind === 'sleep' ? step.until : toWindow(step), now)
}

function toWindow(step: Exclude<PlannedStep, { kind: 'sleep' }>) {
  return typeof step.window === 'number' ? { length: step.window } : step.window
}

/** A step with a sentence for a person is noted after it, so that an early end of the flow reports it. */
function noteLeftOver({ progress }: PlannedFlow, step: PlannedStep | undefined): void {
  if (step?.leaves === undefined || progress.undo.some(entry => entry.step === progress.step)) return
  progress.undo.push({ step: progress.step, state: 'done' })
}
