import { Context } from '@temporalio/activity'
import { createFlowClient, type FlowClient } from '#client'
import { isRecord, toFlowQueue } from '#contract/terms'
import { type BookingResult, isCaseNo, mustBeCaseNo } from '#flows'
import { nonRetryable, retryable } from './failures.ts'
import type { AwaitBookingInput } from './interface.ts'

/** Less than the timeout of the attempt. Milliseconds. */
const timeout = 30_000

/** Waits for the booking of a flow that a Nexus operation has started. */
export async function awaitBooking(input: AwaitBookingInput): Promise<BookingResult> {
  const { caseNo, key } = checkInput(input)
  const answer = await flowClient().waitForBooking(caseNo, { timeout, key })
  if (answer.kind === 'BookingPending') throw retryable('BookingPending', answer.message)
  if (answer.kind !== 'Booked') throw nonRetryable(answer.code, answer.message)
  const { kind: _kind, ...booking } = answer
  return booking
}

/** Cancels the flow of a cancelled operation. Does nothing if the flow has ended. */
export async function cancelCase(input: AwaitBookingInput): Promise<void> {
  const { caseNo } = checkInput(input)
  const answer = await flowClient().cancel(caseNo, 'The Nexus operation was cancelled.', { timeout })
  if (answer.kind === 'CancelPending') throw retryable('BookingPending', answer.message)
}

/** Any client can start the workflow, and a retry cannot change its input. */
function checkInput(input: unknown): AwaitBookingInput {
  const { caseNo, key } = isRecord(input) ? input : {}
  if (!isCaseNo(caseNo)) throw nonRetryable('InvalidFlowInput', `caseNo: ${mustBeCaseNo}.`)
  if (typeof key !== 'string' || key === '' || !key.isWellFormed())
    throw nonRetryable('InvalidFlowInput', 'key: must be the id of an update.')
  return { caseNo, key }
}

function flowClient(): FlowClient {
  const { client, info } = Context.current()
  return createFlowClient(client, { taskQueue: toFlowQueue(info.taskQueue) })
}
