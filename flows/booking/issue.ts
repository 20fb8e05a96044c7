import type { FlowDeclaration } from '../declaration.ts'

export const issue = {
  name: 'issue',
  summary: 'An item is issued to a user.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
    },
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      wait: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'cancel',
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      wait: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
  ],
} as const satisfies FlowDeclaration
