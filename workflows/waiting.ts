import { condition } from '@temporalio/workflow'
import type { PlannedStage } from '#activities/interface'
import { createAlarm } from './alarm.ts'
import { publish } from './board.ts'
import { isTimeToCarryOn, noteHeard } from './carryingOn.ts'
import { reached } from './hearing.ts'
import { lookAround, lookAsScheduled, lookAsWanted, nextLook, soon } from './looking.ts'
import { notify } from './notices.ts'
import { type Course, courseOf, type Run } from './run.ts'

/** How the waiting ended; `carryOn` asks for a new run with the same course. */
export type WaitingEnd = 'completed' | 'cancelled' | 'expired' | 'carryOn'

/**
 * Walks through the stages. A stage is a level and not an edge: it is over as soon as the shipments are there,
 * however they got there, so callbacks may come early, twice, late or not at all.
 */
export async function waitThrough(run: Run, entered: boolean): Promise<WaitingEnd> {
  const course = courseOf(run)
  const alarm = createAlarm()
  let isEntered = entered
  for (;;) {
    for (; course.stage < course.plan.stages.length && reached(course); course.stage++) {
      notify(run, 'flow.stageReached')
      isEntered = false
    }
    const stage = course.plan.stages[course.stage]
    if (stage === undefined) return 'completed'
    if (isOver(run)) return 'cancelled'
    if (run.released) return 'completed'
    if (!isEntered) enter(run, stage)
    isEntered = true
    if (course.deadline !== null && Date.now() >= course.deadline) {
      if (await passes(run, stage)) return 'expired'
    } else if (run.lookWanted) {
      await lookAsWanted(run)
    } else if (course.nextLook !== null && Date.now() >= course.nextLook) {
      await lookAsScheduled(run)
    } else {
      publish(run)
      alarm.setFor(earlier(course.deadline, course.nextLook), summaryOf(course, stage))
      run.stirred = false
      await condition(() => run.stirred || alarm.rang() || isTimeToCarryOn(run))
      if (!run.stirred && !alarm.rang()) return 'carryOn'
      noteHeard(run)
    }
  }
}

/**
 * Cancelled by whoever may cancel the flow, or by somebody else who cancelled one of its shipments. Of a release and a
 * cancellation the first counts.
 */
function isOver(run: Run): boolean {
  return (run.cancelled && !run.released) || courseOf(run).shipments.some(({ stateCode }) => stateCode === 'Cancelled')
}

function enter(run: Run, stage: PlannedStage): void {
  const course = courseOf(run)
  run.state = 'waiting'
  course.overdue = false
  course.since = Date.now()
  course.deadline = deadlineOf(stage)
  course.looks = 0
  course.nextLook = nextLook(run)
}

/** The window has passed: the service is asked once more, then the declared answer holds. True: the flow expires. */
async function passes(run: Run, stage: PlannedStage): Promise<boolean> {
  const course = courseOf(run)
  const asked = !course.plan.profile.reads || (await lookAround(run, { patiently: true }))
  if (reached(course) || isOver(run)) return false
  if (stage.answer === 'cancel') {
    // Without an answer nobody knows whether the item came in after all.
    if (!asked) course.deadline = Date.now() + soon
    return asked
  }
  course.overdue = true
  run.state = 'overdue'
  notify(run, 'flow.overdue')
  // A reminder starts the window again; a question waits until somebody decides.
  course.deadline = stage.answer === 'remind' ? deadlineOf(stage) : null
  return false
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
