// The messages of flows: signal, query and updates. Clients in other languages use their names.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common'
import type {
  AnswerResult,
  AnswerUpdate,
  BookingResult,
  CancelResult,
  CancelUpdate,
  Decision,
  FlowStatus,
  MoveClockUpdate,
  MovedClock,
  ShipmentStatus,
  StatusOptions,
  WaitForBookingUpdate,
} from '#flows'

export type { UpdateDefinition } from '@temporalio/common'

// Temporal's own functions return the same objects, and would load the SDK of workflows into every client.
const defineSignal = <Args extends unknown[]>(name: string) => ({ type: 'signal', name }) as SignalDefinition<Args>
const defineQuery = <Result, Args extends unknown[] = []>(name: string) =>
  ({ type: 'query', name }) as QueryDefinition<Result, Args>
const defineUpdate = <Result, Args extends unknown[] = []>(name: string) =>
  ({ type: 'update', name }) as UpdateDefinition<Result, Args>

/** A verified callback of the service. */
export const shipmentStatus = defineSignal<[ShipmentStatus]>('shipmentStatus')

/** The current state of the flow. */
export const status = defineQuery<FlowStatus, [StatusOptions?]>('status')

/** Waits for the booking: returns its shipments, or fails with the failure of the flow. */
export const waitForBooking = defineUpdate<BookingResult, [WaitForBookingUpdate?]>('waitForBooking')

/** Ends the flow and cleans up; returns after the clean-up. */
export const cancel = defineUpdate<CancelResult, [CancelUpdate]>('cancel')

/** A person's decision about an expired window. */
export const decide = defineUpdate<FlowStatus, [Decision]>('decide')

/** Answers the ask step of a flow. The same answer again returns the result of the first one. */
export const answer = defineUpdate<AnswerResult, [AnswerUpdate]>('answer')

/** Moves the clock of a flow in staging; returns when the flow has passed its windows up to that moment. */
export const moveClock = defineUpdate<MovedClock, [MoveClockUpdate]>('moveClock')
