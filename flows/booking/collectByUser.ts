import type { FlowDeclaration } from '../declaration.ts'

export const collectByUser = {
  name: 'collectByUser',
  summary: "A locker is booked for a user's collection.",
  operation: 'CreateCollectOnlyShipmentAsCollectByUser',
  roles: { collect: { initialState: 'ReadyForPickup' } },
  bookingWindow: '1h',
  stages: [
    {
      name: 'collect',
      summary: 'The user collects the item.',
      when: { KeepBookedAfterPickUp: false },
      reached: { collect: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
      cancels: [],
    },
    {
      name: 'kept',
      summary: 'The locker stays booked until it is released.',
      when: { KeepBookedAfterPickUp: true },
      // A collection changes no state here; only a service that ends the booking itself completes the stage.
      reached: { collect: 'Completed' },
      window: null,
      onTimeout: null,
      cancels: [],
      completedBy: { update: 'release', role: 'collect' },
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
