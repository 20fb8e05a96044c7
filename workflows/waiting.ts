import type { PlannedStage } from '#activities/interface'
import type { Alarm } from './alarm.ts'
import { publish } from './board.ts'
import { isTimeToCarryOn, noteHeard } from './carryingOn.ts'
import { reached } from './hearing.ts'
import { lookAround, lookAsScheduled, lookAsWanted, nextLook, soon } from './looking.ts'
import { notify } from './notices.ts'
import { type Course, courseOf, isCancelled, type Run } from './run.ts'

/** How the waiting ended; `carryOn` asks for a new run with the same course. */
export type WaitingEnd = 'completed' | 'cancelled' | 'expired' | 'carryOn'

/** What a flow in its stages does next: it ends its waiting, it asks the service, or it waits for something to come. */
export type Step = WaitingEnd | (() => Promise<WaitingEnd | undefined>) | 'wait'

/**
 * The next step through the stages. A stage is a level and not an edge: it is over as soon as the shipments are there,
 * however they got there, so callbacks may come early, twice, late or not at all.
 */
export function nextStep(run: Run, alarm: Alarm): Step {
  const course = courseOf(run)
  for (; course.stage < course.plan.stages.length && reached(course); course.stage++) {
    notify(run, 'flow.stageReached')
    run.entered = false
  }
  const stage = course.plan.stages[course.stage]
  if (stage === undefined) return 'completed'
  if (isOver(run)) return 'cancelled'
  if (run.released) return 'completed'
  if (!run.entered) enter(run, stage)
  if (course.deadline !== null && Date.now() >= course.deadline) return () => pass(run, stage)
  if (run.lookWanted) return () => lookAsWanted(run)
  if (course.nextLook !== null && Date.now() >= course.nextLook) return () => lookAsScheduled(run)
  publish(run)
  alarm.setFor(earlier(course.deadline, course.nextLook), summaryOf(course, stage))
  run.stirred = false
  return 'wait'
}

/** Whether a flow that waits has something to do. To be asked in a condition, see `isTimeToCarryOn`. */
export function isWoken(run: Run, alarm: Alarm): boolean {
  return isStirred(run, alarm) || isTimeToCarryOn(run)
}

/** What follows from having been woken, before the next step. */
export function wake(run: Run, alarm: Alarm): WaitingEnd | undefined {
  if (!isStirred(run, alarm)) return 'carryOn'
  noteHeard(run)
  return undefined
}

function isStirred(run: Run, alarm: Alarm): boolean {
  return run.stirred || alarm.rang() || isCancelled(run)
}

/**
 * Cancelled by whoever may cancel the flow, or by somebody else who cancelled one of its shipments. Of a release and a
 * cancellation the first counts.
 */
function isOver(run: Run): boolean {
  return (
    (isCancelled(run) && !run.released) || courseOf(run).shipments.some(({ stateCode }) => stateCode === 'Cancelled')
  )
}

function enter(run: Run, stage: PlannedStage): void {
  const course = courseOf(run)
  run.entered = true
  run.state = 'waiting'
  course.overdue = false
  course.since = Date.now()
  course.deadline = deadlineOf(stage)
  course.looks = 0
  course.nextLook = nextLook(run)
}

/** The window has passed: the service is asked once more, then the declared answer holds. */
async function pass(run: Run, stage: PlannedStage): Promise<'expired' | undefined> {
  const course = courseOf(run)
  const { deadline } = course
  const asked = !course.plan.profile.reads || (await lookAround(run, { patiently: true }))
  // Somebody may have decided in the meantime.
  if (reached(course) || isOver(run) || course.deadline !== deadline) return undefined
  if (stage.answer === 'cancel') {
    // Without an answer nobody knows whether the item came in after all.
    if (!asked) course.deadline = Date.now() + soon
    return asked ? 'expired' : undefined
  }
  course.overdue = true
  run.state = 'overdue'
  notify(run, 'flow.overdue')
  // A reminder starts the window again; a question waits until somebody decides.
  course.deadline = stage.answer === 'remind' ? deadlineOf(stage) : null
  return undefined
}

function deadlineOf({ window }: PlannedStage): number | null {
  return window === null ? null : Date.now() + window
}

/** What the timer is for, in the Web UI. */
function summaryOf({ deadline, nextLook }: Course, { name }: PlannedStage): string {
  const isDeadline = deadline !== null && (nextLook === null || deadline <= nextLook)
  return isDeadline ? `until the window of ${name} passes` : `${name}: until the service is asked again`
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
