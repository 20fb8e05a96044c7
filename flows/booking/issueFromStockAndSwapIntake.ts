import type { FlowDeclaration } from './declaration.ts'

export const issueFromStockAndSwapIntake = {
  name: 'issueFromStockAndSwapIntake',
  summary: 'An item in stock is issued to a user, who brings another one back in the same opening.',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  roles: {
    issue: { first: 'ReadyForPickup', given: true },
    intake: { first: 'ReadyForDropOff', link: { by: 'swaps', to: 'issue' } },
  },
  booking: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is there for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      answer: 'remind',
      cancels: ['intake'],
    },
    {
      name: 'swap',
      summary: 'The user collects the item and leaves the other one.',
      reached: { issue: 'Completed', intake: 'ReadyForPickup' },
      window: '3d',
      answer: 'ask',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects what was brought back.',
      reached: { intake: 'Completed' },
      window: '48h',
      answer: 'remind',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
