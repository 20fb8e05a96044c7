import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow'
import type { PlannedStage } from '#activities/interface'
import { milliseconds } from '#contract/terms'
import { createAlarm } from './alarm.ts'
import { publish } from './board.ts'
import { reached } from './hearing.ts'
import { lookAround, nextLookAfter } from './looking.ts'
import { courseOf, type Run } from './run.ts'

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
    for (; course.stage < course.plan.stages.length && reached(course); course.stage++) isEntered = false
    const stage = course.plan.stages[course.stage]
    if (stage === undefined) return 'completed'
    if (run.cancelled || course.shipments.some(({ stateCode }) => stateCode === 'Cancelled')) return 'cancelled'
    if (!isEntered) enter(run, stage)
    isEntered = true
    decided(run, stage)
    if (course.deadline !== null && Date.now() >= course.deadline) {
      if (await passes(run, stage)) return 'expired'
      continue
    }
    if (run.lookWanted || Date.now() >= course.nextLook) {
      await lookOnce(run, false)
      continue
    }
    publish(run)
    if (mayCarryOn(run)) return 'carryOn'
    alarm.setFor(Math.min(course.deadline ?? course.nextLook, course.nextLook), `${stage.name}: next look or deadline`)
    run.stirred = false
    await condition(() => run.stirred || alarm.rang() || mayCarryOn(run))
  }
}

function enter(run: Run, stage: PlannedStage): void {
  const course = courseOf(run)
  const { looks, profile } = course.plan
  run.state = 'waiting'
  run.decision = undefined
  course.overdue = false
  course.since = Date.now()
  course.deadline = Date.now() + stage.window
  course.looks = 0
  course.nextLook = profile.reads ? Date.now() + nextLookAfter(looks, 0) : Number.POSITIVE_INFINITY
}

/** The window has passed: the service is asked once more, then the declared answer holds. True: the flow expires. */
async function passes(run: Run, stage: PlannedStage): Promise<boolean> {
  const course = courseOf(run)
  if (course.plan.profile.reads) await lookOnce(run, true)
  if (reached(course) || run.cancelled) return false
  if (stage.answer === 'cancel') return true
  course.overdue = true
  run.state = 'overdue'
  // A reminder starts the window again; a question waits until somebody decides.
  course.deadline = stage.answer === 'remind' ? Date.now() + stage.window : null
  return false
}

/** Applies a person's decision about a window that has passed. */
function decided(run: Run, stage: PlannedStage): void {
  const { decision } = run
  if (decision === undefined) return
  const course = courseOf(run)
  run.decision = undefined
  run.state = 'waiting'
  course.overdue = false
  const extension = decision.by === undefined ? stage.window : (milliseconds(decision.by) ?? stage.window)
  course.deadline = decision.decision === 'extend' ? Date.now() + extension : null
}

async function lookOnce(run: Run, patiently: boolean): Promise<void> {
  const course = courseOf(run)
  await lookAround(run, { patiently })
  course.looks++
  course.nextLook = Date.now() + nextLookAfter(course.plan.looks, course.looks)
}

function mayCarryOn(run: Run): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished() && !run.cancelled
}
