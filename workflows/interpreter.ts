import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  TemporalFailure,
} from '@temporalio/workflow'
import type { FlowInput, FlowResult } from '#contract/terms'
import { publish } from './board.ts'
import { book } from './booking.ts'
import { cleanUp, resultOf } from './ending.ts'
import { orderCancel, receive } from './handlers.ts'
import { planFlow } from './planning.ts'
import { type Course, courseOf, type Run, startRun } from './run.ts'
import { waitThrough } from './waiting.ts'

/** A flow as Temporal runs it; `carried` is there when an earlier run of the same flow continued as new. */
export type Flow = (input: FlowInput, carried?: Course) => Promise<FlowResult>

/** The workflow of a declared flow: plan, book, stages, end. */
export function interpret(flow: string): Flow {
  return async (input, carried) => {
    const run = startRun(flow, input, carried)
    receive(run)
    CancellationScope.current().cancelRequested.catch(() => orderCancel(run))
    return CancellationScope.nonCancellable(() => lead(run))
  }
}

async function lead(run: Run): Promise<FlowResult> {
  const ending = await course(run)
  await condition(allHandlersFinished)
  if ('failure' in ending) throw ending.failure
  if (ending.outcome === 'carryOn') return continueAsNew<Flow>(run.input, courseOf(run))
  return ending.result
}

type Ending =
  | { readonly failure: TemporalFailure }
  | { readonly outcome: 'carryOn' }
  | { readonly outcome: 'ended'; readonly result: FlowResult }

async function course(run: Run): Promise<Ending> {
  const carriedOn = run.course !== undefined
  try {
    if (!carriedOn) {
      await planFlow(run)
      publish(run)
      await book(run)
    }
    const outcome = run.booking === 'booked' ? await waitThrough(run, carriedOn) : 'cancelled'
    if (outcome === 'carryOn') return { outcome }
    if (outcome !== 'completed') await cleanUp(run)
    run.result = resultOf(run, outcome)
    end(run)
    return { outcome: 'ended', result: run.result }
  } catch (error) {
    // Anything else is a defect of ours: the workflow task fails and is tried again by a mended worker.
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error
    run.booking = { failure: error }
    if (run.course !== undefined) await cleanUp(run)
    end(run)
    return { failure: error }
  }
}

/** Lets waiting handlers answer. */
function end(run: Run): void {
  run.state = 'ended'
  run.over = true
  if (run.course !== undefined) publish(run)
}
