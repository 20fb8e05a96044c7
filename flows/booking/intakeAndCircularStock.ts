import type { FlowDeclaration } from '../declaration.ts'

export const intakeAndCircularStock = {
  name: 'intakeAndCircularStock',
  summary: 'A user returns an item, which then becomes stock.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIntakeAndCircularStock',
    },
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      wait: { intake: 'Completed', stock: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
    },
  ],
  outputs: { stockShipmentUid: 'stock.shipmentUid' },
} as const satisfies FlowDeclaration
