import { Context } from '@temporalio/activity'
import { createFlowClient, type FlowClient } from '#client'
import type { BookingResult } from '#flows'
import { nonRetryable, retryable } from './failures.ts'
import type { AwaitBookingInput } from './interface.ts'

/** Less than the timeout of the attempt. Milliseconds. */
const timeout = 30_000

/** Waits for the booking of a flow that an operation of Nexus has started. */
export async function awaitBooking({ caseNo, key }: AwaitBookingInput): Promise<BookingResult> {
  const answer = await flowClient().waitForBooking(caseNo, { timeout, key })
  if (answer.kind === 'BookingPending') throw retryable('BookingPending', answer.message)
  if (answer.kind !== 'Booked') throw nonRetryable(answer.code, answer.message)
  const { kind: _kind, ...booking } = answer
  return booking
}

/** Cancels the flow of an operation that was cancelled. One that has ended needs nothing. */
export async function cancelCase({ caseNo }: AwaitBookingInput): Promise<void> {
  const answer = await flowClient().cancel(caseNo, 'The operation of Nexus was cancelled.', { timeout })
  if (answer.kind === 'CancelPending') throw retryable('BookingPending', answer.message)
}

function flowClient(): FlowClient {
  const { client, info } = Context.current()
  return createFlowClient(client, { taskQueue: info.taskQueue })
}
