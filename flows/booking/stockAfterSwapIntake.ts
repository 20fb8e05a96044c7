import { type FlowDeclaration, given } from './declaration.ts'

export const stockAfterSwapIntake = {
  name: 'stockAfterSwapIntake',
  summary: 'An item goes into stock in the opening in which a returned one is taken out.',
  operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
  roles: {
    stock: { first: 'ReadyForDropOff', link: { by: 'swaps', to: given } },
  },
  booking: '1h',
  stages: [
    {
      name: 'swap',
      summary: 'The dispatcher takes the returned item out and puts the new one in.',
      reached: { stock: 'WaitForReceiver' },
      window: '3d',
      answer: 'remind',
      cancels: ['stock'],
    },
  ],
  handsBack: { stockShipmentUid: 'stock' },
} as const satisfies FlowDeclaration
