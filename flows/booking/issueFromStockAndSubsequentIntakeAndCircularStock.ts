import type { FlowDeclaration } from './declaration.ts'

export const issueFromStockAndSubsequentIntakeAndCircularStock = {
  name: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  summary: 'The loan: an item in stock is issued to a user, brought back later, and stock again.',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  roles: {
    issue: { first: 'ReadyForPickup', given: true },
    intake: { first: 'WaitForPriorShipment', link: { by: 'follows', to: 'issue' } },
    stock: { first: 'WaitForPriorShipment', link: { by: 'circles', to: 'intake' } },
  },
  booking: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is there for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      answer: 'remind',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      answer: 'ask',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'return',
      summary: 'The user brings the item back.',
      reached: { intake: 'Completed' },
      window: '14d',
      answer: 'ask',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'restocked',
      summary: 'The item is stock again.',
      reached: { stock: 'ReadyForPickup' },
      window: '1h',
      answer: 'remind',
      cancels: [],
    },
  ],
  handsBack: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
