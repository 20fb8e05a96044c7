// Callbacks: enqueued in the transaction of a change, delivered afterwards in the order of each shipment.
// Imported by the service's start, shipments and operations.

export type { CallbackFilter, UndeliveredCallback } from './deadLetters.ts'
export { enqueueCallback, toMessage } from './enqueue.ts'
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
export { resendCallbacks } from './presentStates.ts'
export { assertValidUrl, registerCallback } from './registration.ts'
export { type DeliverySettings, defaultDelivery } from './retryPolicy.ts'
export { takeMessages } from './take.ts'
export { openUndelivered, type UndeliveredCallbacks } from './undelivered.ts'
