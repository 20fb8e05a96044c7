import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStockAndSubsequentIntakeAndCircularStock = {
  name: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  summary: 'The loan: an item in stock is issued to a user, returned later, and becomes stock again.',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  roles: {
    issue: { initialState: 'ReadyForPickup', existing: true },
    intake: { initialState: 'WaitForPriorShipment', link: { by: 'subsequent', to: 'issue' } },
    stock: { initialState: 'WaitForPriorShipment', link: { by: 'circular', to: 'intake' } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'ready',
      summary: 'The item is ready for the user.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'remind',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'return',
      summary: 'The user returns the item.',
      reached: { intake: 'Completed' },
      window: '14d',
      onTimeout: 'ask',
      cancels: ['intake', 'stock'],
    },
    {
      name: 'restocked',
      summary: 'The item is in stock again.',
      reached: { stock: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'remind',
      cancels: [],
    },
  ],
  outputs: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
