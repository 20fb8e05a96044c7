// Callbacks: queued in the transaction of a change, delivered afterwards, in the order of each shipment.
// Imported by the service's process and its operations.

export { type Delivery, defaultDelivery } from './delivery.ts'
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts'
export { queueCallback } from './queue.ts'
export { registerCallback } from './registration.ts'
