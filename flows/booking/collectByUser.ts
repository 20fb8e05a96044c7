import type { FlowDeclaration } from './declaration.ts'

export const collectByUser = {
  name: 'collectByUser',
  summary: "A locker is booked for a user's collection.",
  operation: 'CreateCollectOnlyShipmentAsCollectByUser',
  roles: { collect: { first: 'ReadyForPickup' } },
  booking: '1h',
  stages: [
    {
      name: 'collect',
      summary: 'The user collects the item.',
      when: { KeepBookedAfterPickUp: false },
      reached: { collect: 'Completed' },
      window: '3d',
      answer: 'ask',
      cancels: [],
    },
    {
      name: 'kept',
      summary: 'The locker stays booked until somebody releases it.',
      when: { KeepBookedAfterPickUp: true },
      // A collection changes no state here; only a service that ends the booking by itself gets there.
      reached: { collect: 'Completed' },
      window: null,
      answer: null,
      cancels: [],
      order: { update: 'release', role: 'collect' },
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
