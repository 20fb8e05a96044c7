import type { FlowDeclaration } from './declaration.ts'

export const issueFromStock = {
  name: 'issueFromStock',
  summary: 'An item in stock is issued to a user.',
  operation: 'CreateLocalShipmentAsIssueFromStock',
  roles: {
    issue: { first: 'ReadyForPickup', given: true },
  },
  booking: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is there for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      answer: 'remind',
      cancels: [],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      answer: 'ask',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
