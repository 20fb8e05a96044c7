import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow'
import type { FlowInput, FlowResult } from '#contract/terms'
import { publish, show } from './board.ts'
import { book } from './booking.ts'
import { cleanUp, freeReleased, resultOf } from './ending.ts'
import { answer } from './failures.ts'
import { receive } from './handlers.ts'
import { notify } from './notices.ts'
import { planFlow } from './planning.ts'
import { type Course, courseOf, orderCancel, type Run, startRun } from './run.ts'
import { type WaitingEnd, waitThrough } from './waiting.ts'

/** A flow as Temporal runs it; `carried` is what an earlier run of the same flow continued as new with. */
export type Flow = (input: FlowInput, carried?: Course) => Promise<FlowResult>

/** The workflow of every flow: plan, book, stages, end. Which one it is says the workflow type. */
export const interpret: Flow = async (input, carried) => {
  const { workflowType, continuedFromExecutionRunId } = workflowInfo()
  // Only a run of our own hands a course over; from a starter it would go past the plan and its checks.
  const run = startRun(workflowType, input, continuedFromExecutionRunId === undefined ? undefined : carried)
  receive(run)
  CancellationScope.current().cancelRequested.catch(() => orderCancel(run))
  return CancellationScope.nonCancellable(() => lead(run))
}

async function lead(run: Run): Promise<FlowResult> {
  const outcome = await follow(run)
  // A child that Temporal has not taken is lost with its parent, abandoned or not.
  await condition(() => allHandlersFinished() && run.untaken.size === 0)
  if (outcome === 'carryOn') return continueAsNew<Flow>(run.input, courseOf(run))
  if (outcome === 'failed' || run.result === undefined) throw failureOf(run)
  return run.result
}

/** From the plan to the end of the clean-up. A failure that is not a refusal is a defect, and fails the workflow task. */
async function follow(run: Run): Promise<Exclude<WaitingEnd, 'expired'> | 'failed'> {
  const carriedOn = run.course !== undefined
  if (!carriedOn) {
    const refusal = await refusalOf(() => planFlow(run))
    if (refusal !== undefined) run.booking = { failure: refusal }
    else {
      // A booking can take as long as its window; until then nothing else is shown.
      show(run)
      await book(run)
    }
  }
  const outcome = run.booking === 'booked' ? await waitThrough(run, carriedOn) : 'cancelled'
  if (outcome === 'carryOn') return outcome
  if (run.course !== undefined && outcome !== 'completed') await cleanUp(run)
  else if (run.released) await freeReleased(run)
  const failed = typeof run.booking === 'object' && run.booking.failure.type !== 'BookingCancelled'
  if (!failed) run.result = resultOf(run, outcome)
  run.state = 'ended'
  run.over = true
  publish(run)
  notify(run, 'flow.ended')
  return failed ? 'failed' : 'completed'
}

async function refusalOf(work: () => Promise<void>): Promise<ApplicationFailure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ApplicationFailure) return error
    throw error
  }
}

/** What `booked` answered, with what could not be cleaned up in its details. */
function failureOf({ booking, leftOver }: Run): unknown {
  if (typeof booking !== 'object' || leftOver.length === 0)
    return typeof booking === 'object' ? booking.failure : undefined
  const { message, type } = booking.failure
  return answer({ message, details: [{ leftOver }], ...(type && { type }) })
}
