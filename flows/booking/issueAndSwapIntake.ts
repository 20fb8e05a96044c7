import type { FlowDeclaration } from '../declaration.ts'

export const issueAndSwapIntake = {
  name: 'issueAndSwapIntake',
  summary: 'An item is issued to a user, who brings another one back in the same opening.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked for both items.',
      book: 'CreateLocalShipmentAsIssueAndSwapIntake',
    },
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      wait: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'cancel',
    },
    {
      name: 'swap',
      summary: 'The user collects the item and leaves the other one.',
      wait: { issue: 'Completed', intake: 'ReadyForPickup' },
      window: '3d',
      onTimeout: 'ask',
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the returned item.',
      wait: { intake: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
    },
  ],
} as const satisfies FlowDeclaration
