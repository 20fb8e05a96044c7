// The messages of a flow: what one can tell it, ask it and order it.
// Whoever talks to flows imports these; other languages use the names.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type {
  Booked,
  BookedQuestion,
  CancelAnswer,
  CancelOrder,
  Decision,
  FlowStatus,
  ReceiverOrder,
  ShipmentStatus,
} from '#contract/terms'

/** A verified callback of the service. */
export const shipmentStatus = defineSignal<[ShipmentStatus]>('shipmentStatus')

/** Where the flow is now. */
export const status = defineQuery<FlowStatus>('status')

/** Waits for the booking's outcome: the booked shipments, or the failure that the flow fails with. */
export const booked = defineUpdate<Booked, [BookedQuestion?]>('booked')

/** Ends the flow and cleans up; answers once that is done. */
export const cancel = defineUpdate<CancelAnswer, [CancelOrder]>('cancel')

/** A person's answer after a window has passed. */
export const decide = defineUpdate<FlowStatus, [Decision]>('decide')

/** Names who collects the shipment; answers once the service has accepted. */
export const assignReceiver = defineUpdate<FlowStatus, [ReceiverOrder]>('assignReceiver')

/** Ends a booking that is kept; answers once its locker is free. */
export const release = defineUpdate<CancelAnswer>('release')
