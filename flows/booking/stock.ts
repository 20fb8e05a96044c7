import type { FlowDeclaration } from '../declaration.ts'

export const stock = {
  name: 'stock',
  summary: 'An item goes into stock.',
  operation: 'CreateLocalShipmentAsStock',
  roles: { stock: { initialState: 'ReadyForDropOff' } },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { stock: 'WaitForReceiver' },
      window: '48h',
      onTimeout: 'remind',
      cancels: ['stock'],
    },
  ],
  outputs: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
