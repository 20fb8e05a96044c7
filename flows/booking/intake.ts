import type { FlowDeclaration } from '../declaration.ts'

export const intake = {
  name: 'intake',
  summary: 'A user brings an item to the dispatcher.',
  operation: 'CreateLocalShipmentAsIntake',
  roles: {
    intake: { initialState: 'ReadyForDropOff' },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      reached: { intake: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      reached: { intake: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
