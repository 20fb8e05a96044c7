import type { FlowDeclaration } from './declaration.ts'

export const stock = {
  name: 'stock',
  summary: 'An item goes into stock.',
  operation: 'CreateLocalShipmentAsStock',
  roles: { stock: { first: 'ReadyForDropOff' } },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { stock: 'WaitForReceiver' },
      window: '48h',
      answer: 'remind',
      cancels: ['stock'],
    },
  ],
  handsBack: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
