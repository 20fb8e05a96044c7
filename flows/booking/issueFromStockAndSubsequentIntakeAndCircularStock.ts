import type { FlowDeclaration } from '../declaration.ts'

export const issueFromStockAndSubsequentIntakeAndCircularStock = {
  name: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  summary: 'The loan: an item in stock is issued to a user, returned later, and becomes stock again.',
  steps: [
    {
      name: 'booking',
      summary: 'The item is assigned to the user, and its return is booked.',
      book: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
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
    {
      name: 'return',
      summary: 'The user returns the item.',
      wait: { intake: 'Completed' },
      window: '14d',
      onTimeout: 'ask',
    },
    {
      name: 'restocked',
      summary: 'The item is in stock again.',
      wait: { stock: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'remind',
    },
  ],
  outputs: { stockShipmentUid: 'stock.shipmentUid' },
} as const satisfies FlowDeclaration
