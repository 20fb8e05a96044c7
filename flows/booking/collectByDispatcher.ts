import type { FlowDeclaration } from './declaration.ts'

export const collectByDispatcher = {
  name: 'collectByDispatcher',
  summary: 'A locker is booked for a collection by the dispatcher.',
  operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  roles: { collect: { first: 'ReadyForPickup' } },
  booking: '1h',
  stages: [
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      when: { KeepBookedAfterPickUp: false },
      reached: { collect: 'Completed' },
      window: '48h',
      answer: 'remind',
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
