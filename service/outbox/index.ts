// Callbacks: enqueued in the transaction of a change, delivered afterwards in the order of each shipment.
// Imported by the service's start, HTTP side, shipments, persons and operations.

export type { CallbackFilter, UndeliveredCallback } from './callbackFilter.ts'
export { findTenant, type Tenant } from './claims.ts'
export { enqueueCallback, type NewMessage, toMessage } from './enqueue.ts'
export type { DeliverySlot, LeasedMessage, Outbox, OutboxOptions } from './interface.ts'
export { createOutbox } from './outbox.ts'
export { assertValidUrl, registerCallback } from './registration.ts'
export { resendCallbacks } from './resend.ts'
export { type DeliverySettings, defaultDelivery } from './retryPolicy.ts'
export { openUndelivered, takeMessages, type UndeliveredCallbacks } from './undelivered.ts'
