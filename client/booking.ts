import { WorkflowNotFoundError } from '@temporalio/client'
import type { BookingResult } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import * as messages from '#flows/messages'
import { defaultTimeout, isTimeout, isTransient, retryUpdate, toResult, within } from './calls.ts'
import { findMissingResponse } from './causes.ts'
import type { EndTarget } from './end.ts'
import type { NameOf, ShipmentOf } from './flowTypes.ts'
import type { Booked, BookingPending, Refused, UnknownCase } from './results.ts'
import type { BookingOptions } from './types.ts'

/** Implements `FlowClient.waitForBooking`. */
export async function waitForBooking<Name extends NameOf<Own>, Own extends FlowDeclaration>(
  { client, taskQueue, handle }: EndTarget<Name, Own>,
  caseNo: string,
  { timeout = defaultTimeout, key }: BookingOptions,
): Promise<Booked<Name, Own> | BookingPending | Refused | UnknownCase> {
  async function wait(): Promise<Booked<Name, Own>> {
    try {
      const send = (updateId: string) =>
        handle.executeUpdate<BookingResult, [object]>(messages.waitForBooking.name, { args: [{}], updateId })
      const booking = await retryUpdate({ client, caseNo }, timeout, send, key)
      return { kind: 'Booked', ...booking, shipments: booking.shipments as ShipmentOf<Name, Own>[] }
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      // An ended flow takes no update. Its result has its shipments, or the refusal of the booking.
      const ended = await within(client, timeout, () => handle.result())
      const { flow, outcome, shipments } = ended
      if (outcome !== 'completed' && shipments.every(({ stateCode }) => stateCode === 'Cancelled')) throw error
      return { kind: 'Booked', flow, caseNo, shipments: shipments as ShipmentOf<Name, Own>[] }
    }
  }
  try {
    const answer = await toResult(client, caseNo, wait)
    if (answer.kind !== 'Refused' || answer.code !== 'BookingPending') return answer
    return { kind: 'BookingPending', caseNo, code: 'BookingPending', message: answer.message }
  } catch (error) {
    if (!isTimeout(error) && !isTransient(error)) throw error
    return { kind: 'BookingPending', caseNo, ...(await findMissingResponse(client, caseNo, taskQueue)) }
  }
}
