// The messages of a flow: one file per update, each with `validate` and `handle`.
import { setHandler } from '@temporalio/workflow'
import type { CancelUpdate, WaitForBookingUpdate } from '#flows'
import * as messages from '#flows/messages'
import { type FlowContext, toStatus } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { receiveCallback } from '../stages/callbacks.ts'
import * as assignReceiver from './assignReceiver.ts'
import * as cancel from './cancel.ts'
import * as decide from './decide.ts'
import * as release from './release.ts'
import * as waitForBooking from './waitForBooking.ts'

/** Sets every handler. Call it before the first await: messages can arrive with the start. */
export function setHandlers(flow: FlowContext): void {
  setHandler(messages.status, () => toStatus(flow), { description: 'The current state of the flow.' })
  setHandler(
    messages.shipmentStatus,
    status => {
      noteRecordedEvent(flow)
      receiveCallback(flow, status)
    },
    { description: 'A verified callback of the service.' },
  )
  setHandler(messages.waitForBooking, (update?: WaitForBookingUpdate) => waitForBooking.handle(flow, update), {
    validator: (update?: WaitForBookingUpdate) => waitForBooking.validate(flow, update),
    description: 'Waits for the booking. Returns its shipments, or fails with the failure of the flow.',
  })
  setHandler(messages.cancel, (_reason: CancelUpdate) => cancel.handle(flow), {
    validator: (_reason: CancelUpdate) => cancel.validate(flow),
    description: 'Ends the flow and cleans up.',
  })
  setHandler(messages.decide, decision => decide.handle(flow, decision), {
    validator: decision => decide.validate(flow, decision),
    description: 'Decides about a window that has passed: extend, cancel or keepWaiting.',
  })
  setHandler(messages.assignReceiver, update => assignReceiver.handle(flow, update), {
    validator: update => assignReceiver.validate(flow, update),
    description: 'Sets the user who collects the shipment.',
  })
  setHandler(messages.release, () => release.handle(flow), {
    validator: () => release.validate(flow),
    description: 'Ends a kept booking and frees its locker.',
  })
}
