import { CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { FlowInput, FlowResult } from '#contract/terms'
import { createAlarm } from './alarm.ts'
import { publishCase } from './attributes.ts'
import { begin } from './beginning.ts'
import { publish } from './board.ts'
import { isAlone } from './carryingOn.ts'
import { cleanUp, freeReleased, resultOf } from './ending.ts'
import { answer } from './failures.ts'
import { receive } from './handlers.ts'
import { notify } from './notices.ts'
import { type Course, courseOf, leftOverOf, type Run, settleEnd, startRun } from './run.ts'
import { beginIn } from './scope.ts'
import { lookForSurplus } from './surplus.ts'
import { isWoken, nextStep, type WaitingEnd, wake } from './waiting.ts'

/** A flow as Temporal runs it; `carried` is what an earlier run of the same flow continued as new with. */
export type Flow = (input: FlowInput, carried?: Course) => Promise<FlowResult>

/** The workflow of every flow: plan, book, stages, end. Which one it is says the workflow type. */
export const interpret: Flow = (input, carried) => {
  const { workflowType, continuedFromExecutionRunId } = workflowInfo()
  // Only a run of our own hands a course over; from a starter it would go past the plan and its checks.
  const run = startRun(workflowType, input, continuedFromExecutionRunId === undefined ? undefined : carried)
  receive(run)
  if (run.course === undefined) publishCase()
  return beginIn(new CancellationScope({ cancellable: false }), () => lead(run))
}

/**
 * From the plan to the end of the clean-up. An error that is none of Temporal's failures is a defect, and fails the task.
 * The stages are waited for here and not further down: each function that waits costs the memory of a waiting flow.
 */
async function lead(run: Run): Promise<FlowResult> {
  if (run.course === undefined) await begin(run)
  const alarm = createAlarm()
  let end: WaitingEnd | undefined = run.booking === 'booked' ? undefined : 'cancelled'
  while (end === undefined) {
    const step = nextStep(run, alarm)
    if (step === 'wait') {
      await condition(() => isWoken(run, alarm))
      end = wake(run, alarm)
    } else {
      end = typeof step === 'function' ? await step() : step
    }
  }
  if (end !== 'carryOn') await finish(run, end)
  if (!isAlone(run)) await condition(() => isAlone(run))
  if (end === 'carryOn') return continueAsNew<Flow>(run.input, courseOf(run))
  if (run.result === undefined) throw failureOf(run)
  return run.result
}

async function finish(run: Run, end: Exclude<WaitingEnd, 'carryOn'>): Promise<void> {
  await lookForSurplus(run)
  if (run.course !== undefined && end !== 'completed') await cleanUp(run)
  else if (run.released) await freeReleased(run)
  const failed = typeof run.booking === 'object' && run.booking.failure.type !== 'BookingCancelled'
  if (!failed) run.result = resultOf(run, end)
  run.state = 'ended'
  settleEnd(run)
  publish(run)
  notify(run, 'flow.ended')
}

/** What `booked` answered, with what could not be cleaned up in its details. */
function failureOf(run: Run): unknown {
  const { booking } = run
  const leftOver = leftOverOf(run)
  if (typeof booking !== 'object' || leftOver.length === 0)
    return typeof booking === 'object' ? booking.failure : undefined
  const { message, type } = booking.failure
  return answer({ message, details: [{ leftOver }], ...(type && { type }) })
}
