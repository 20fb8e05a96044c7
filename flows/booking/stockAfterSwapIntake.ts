import { existingShipment, type FlowDeclaration } from '../declaration.ts'

export const stockAfterSwapIntake = {
  name: 'stockAfterSwapIntake',
  summary: 'An item goes into stock in the opening in which a returned one is taken out.',
  operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
  roles: {
    stock: { initialState: 'ReadyForDropOff', link: { by: 'swap', to: existingShipment } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'swap',
      summary: 'The dispatcher takes the returned item out and puts the new one in.',
      reached: { stock: 'WaitForReceiver' },
      window: '3d',
      onTimeout: 'remind',
      cancels: ['stock'],
    },
  ],
  outputs: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
