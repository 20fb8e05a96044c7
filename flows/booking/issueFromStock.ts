import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStock = {
  name: 'issueFromStock',
  summary: 'An item in stock is issued to a user.',
  steps: [
    {
      name: 'booking',
      summary: 'The item is assigned to the user.',
      book: 'CreateLocalShipmentAsIssueFromStock',
    },
    {
      name: 'ready',
      summary: 'The item is ready for the user.',
      wait: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'remind',
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
