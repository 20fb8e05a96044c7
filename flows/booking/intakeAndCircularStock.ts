import type { FlowDeclaration } from '../declaration.ts'

export const intakeAndCircularStock = {
  name: 'intakeAndCircularStock',
  summary: 'A user returns an item, which then becomes stock.',
  operation: 'CreateLocalShipmentAsIntakeAndCircularStock',
  roles: {
    intake: { initialState: 'ReadyForDropOff' },
    stock: { initialState: 'WaitForPriorShipment', link: { by: 'circular', to: 'intake' } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      reached: { intake: 'Completed', stock: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
      cancels: ['intake', 'stock'],
    },
  ],
  outputs: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
