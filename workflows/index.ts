// The entry of the bundle that workers run. README.md is a map of the folder.

import type { AwaitBookingInput, DeliverNotificationInput } from '#activities/interface'
import type { BookingResult, FlowInput, FlowResult, SweepInput, SweepReport } from '#flows'
import { runBooking } from './booking.ts'
import { runFlow } from './flow.ts'
import { deliver } from './notifications/deliver.ts'
import type { FlowProgress } from './progress.ts'
import { runSweep } from './sweep.ts'
import { createRuntime } from './temporal.ts'
import { setVersioningBehavior } from './versioning.ts'

/** Every flow, the team's own ones included. An unknown workflow type fails with UnknownFlow. */
function flow(input: FlowInput, continuedFrom?: FlowProgress): Promise<FlowResult> {
  return runFlow(createRuntime(), input, continuedFrom)
}

function notification(input: DeliverNotificationInput): Promise<void> {
  return deliver(createRuntime(), input)
}

function sweep(input: SweepInput): Promise<SweepReport> {
  return runSweep(createRuntime(), input)
}

function booking(input: AwaitBookingInput): Promise<BookingResult> {
  return runBooking(createRuntime(), input)
}

for (const workflow of [flow, notification, sweep, booking]) setVersioningBehavior(workflow)

// The SDK looks a workflow type up on an object that inherits these functions, and would run them as workflows.
export {
  booking,
  flow as default,
  flow as __defineGetter__,
  flow as __defineSetter__,
  flow as __lookupGetter__,
  flow as __lookupSetter__,
  flow as constructor,
  flow as hasOwnProperty,
  flow as isPrototypeOf,
  flow as propertyIsEnumerable,
  flow as toLocaleString,
  flow as toString,
  flow as valueOf,
  notification,
  sweep,
}
