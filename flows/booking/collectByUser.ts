import type { FlowDeclaration } from '../declaration.ts'

export const collectByUser = {
  name: 'collectByUser',
  summary: "A locker is booked for a user's collection.",
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateCollectOnlyShipmentAsCollectByUser',
    },
    {
      name: 'collect',
      summary: 'The user collects the item.',
      when: { 'input.KeepBookedAfterPickUp': false },
      wait: { collect: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
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
