import type { FlowDeclaration } from './declaration.ts'

export const intakeAndCircularStock = {
  name: 'intakeAndCircularStock',
  summary: 'A user brings an item back, which is stock from then on.',
  operation: 'CreateLocalShipmentAsIntakeAndCircularStock',
  roles: {
    intake: { first: 'ReadyForDropOff' },
    stock: { first: 'WaitForPriorShipment', link: { by: 'circles', to: 'intake' } },
  },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The user places the item in the locker.',
      reached: { intake: 'Completed', stock: 'ReadyForPickup' },
      window: '7d',
      answer: 'cancel',
      cancels: ['intake', 'stock'],
    },
  ],
  handsBack: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
