import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStockAndSwapIntake = {
  name: 'issueFromStockAndSwapIntake',
  summary: 'An item in stock is issued to a user, who brings another one back in the same opening.',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  roles: {
    issue: { initialState: 'ReadyForPickup', existing: true },
    intake: { initialState: 'ReadyForDropOff', link: { by: 'swap', to: 'issue' } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is ready for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'remind',
      cancels: ['intake'],
    },
    {
      name: 'swap',
      summary: 'The user collects the item and leaves the other one.',
      reached: { issue: 'Completed', intake: 'ReadyForPickup' },
      window: '3d',
      onTimeout: 'ask',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the returned item.',
      reached: { intake: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
