import type { FlowDeclaration } from '../declaration.ts'

export const stock = {
  name: 'stock',
  summary: 'An item goes into stock.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsStock',
    },
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      wait: { stock: 'WaitForReceiver' },
      window: '48h',
      onTimeout: 'remind',
    },
  ],
  outputs: { stockShipmentUid: 'stock.shipmentUid' },
} as const satisfies FlowDeclaration
