import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStock = {
  name: 'issueFromStock',
  summary: 'An item in stock is issued to a user.',
  operation: 'CreateLocalShipmentAsIssueFromStock',
  roles: {
    issue: { initialState: 'ReadyForPickup', existing: true },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is ready for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'remind',
      cancels: [],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
