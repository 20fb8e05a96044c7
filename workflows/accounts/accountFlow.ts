import { ApplicationFailure, CancellationScope, condition, workflowInfo } from '@temporalio/workflow'
import type { FlowInput, FlowResult } from '#flows'
import { planFlow } from '../booking/plan.ts'
import { cancelledWithFlow, isCancelled } from '../cancellation.ts'
import { createContext, type FlowContext, type PlannedFlow, requirePlanned, setBooking, setState } from '../context.ts'
import { isQuiescent } from '../continueAsNew.ts'
import { endFlow, requireResult, toResult } from '../ending.ts'
import { bookingCancelled, bookingGivenUp, businessErrorIn, isActivityError, toErrorCode } from '../failures.ts'
import { setHandlers } from '../updates/index.ts'
import { publishVisibility } from '../visibility/currentDetails.ts'
import { publishCase } from '../visibility/searchAttributes.ts'

/** The steps of an account flow after its plan. */
export type Work = (flow: PlannedFlow) => Promise<WorkResult>

export interface WorkResult {
  /** The response of the flow's operation, as far as the flow got. */
  readonly response: Readonly<Record<string, unknown>>
  /** False when the flow was cancelled before its last step. */
  readonly complete: boolean
}

/** Runs a flow that books nothing: plan, work, end. It has the messages of every flow. */
export function runAccountFlow(input: FlowInput, work: Work): Promise<FlowResult> {
  const flow = createContext(workflowInfo().workflowType, input, undefined)
  setHandlers(flow)
  publishCase()
  return CancellationScope.nonCancellable(() => run(flow, work))
}

async function run(flow: FlowContext, work: Work): Promise<FlowResult> {
  try {
    await planFlow(flow)
    const planned = requirePlanned(flow)
    const { response, complete } = await work(planned)
    setBooking(flow, complete ? 'booked' : { failure: bookingCancelled() })
    flow.result = { ...response, ...toResult(planned, complete ? 'completed' : 'cancelled') }
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error
    setBooking(flow, { failure: error })
  }
  endFlow(flow)
  if (!isQuiescent(flow)) await condition(() => isQuiescent(flow))
  return requireResult(flow)
}

export function enterStep(flow: PlannedFlow, step: string): void {
  const { progress } = flow
  progress.stage = progress.plan.stages.findIndex(({ name }) => name === step)
  progress.since = Date.now()
  setState(flow, 'waiting')
  publishVisibility(flow)
}

/**
 * Runs an activity until it returns or the flow is cancelled; undefined then. Fails with the service's code for a
 * business refusal, and with BookingGivenUp when the booking window has passed.
 */
export async function unlessCancelled<Result>(
  flow: PlannedFlow,
  activity: () => Promise<Result>,
): Promise<Result | undefined> {
  if (isCancelled(flow)) return undefined
  try {
    return await cancelledWithFlow(flow, activity)
  } catch (error) {
    if (!isActivityError(error)) throw error
    if (isCancelled(flow)) return undefined
    throw businessErrorIn(error) ?? bookingGivenUp(toErrorCode(error))
  }
}
