import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStockAndSwapIntake = {
  name: 'issueFromStockAndSwapIntake',
  summary: 'An item in stock is issued to a user, who brings another one back in the same opening.',
  steps: [
    {
      name: 'booking',
      summary: 'The item is assigned to the user, and the return is booked.',
      book: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    },
    {
      name: 'ready',
      summary: 'The item is ready for the user.',
      wait: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'remind',
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
