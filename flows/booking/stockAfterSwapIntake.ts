import type { FlowDeclaration } from '../declaration.ts'

export const stockAfterSwapIntake = {
  name: 'stockAfterSwapIntake',
  summary: 'An item goes into stock in the opening in which a returned one is taken out.',
  steps: [
    {
      name: 'booking',
      summary: 'The locker of the returned item is booked.',
      book: 'CreateLocalShipmentAsStockAfterSwapIntake',
    },
    {
      name: 'swap',
      summary: 'The dispatcher takes the returned item out and puts the new one in.',
      wait: { stock: 'WaitForReceiver' },
      window: '3d',
      onTimeout: 'remind',
    },
  ],
  outputs: { stockShipmentUid: 'stock.shipmentUid' },
} as const satisfies FlowDeclaration
