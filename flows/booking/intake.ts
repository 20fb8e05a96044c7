import type { FlowDeclaration } from './declaration.ts'

export const intake = {
  name: 'intake',
  summary: 'A user brings an item to the dispatcher.',
  operation: 'CreateLocalShipmentAsIntake',
  roles: {
    intake: { first: 'ReadyForDropOff' },
  },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      reached: { intake: 'ReadyForPickup' },
      window: '7d',
      answer: 'cancel',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      reached: { intake: 'Completed' },
      window: '48h',
      answer: 'remind',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
