import type { FlowDeclaration } from '../declaration.ts'

export const intake = {
  name: 'intake',
  summary: 'A user brings an item to the dispatcher.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIntake',
    },
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      wait: { intake: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      wait: { intake: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
    },
  ],
} as const satisfies FlowDeclaration
