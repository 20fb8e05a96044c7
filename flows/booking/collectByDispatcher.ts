import type { FlowDeclaration } from '../declaration.ts'

export const collectByDispatcher = {
  name: 'collectByDispatcher',
  summary: 'A locker is booked for a collection by the dispatcher.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      when: { 'input.KeepBookedAfterPickUp': false },
      wait: { collect: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
    },
    {
      name: 'kept',
      summary: 'The locker stays booked until it is released.',
      when: { 'input.KeepBookedAfterPickUp': true },
      // A collection changes no state here; only a service that ends the booking itself completes the stage.
      wait: { collect: 'Completed' },
      window: null,
      completedBy: { update: 'release', role: 'collect' },
    },
  ],
} as const satisfies FlowDeclaration
