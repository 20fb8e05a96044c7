import { existingShipment, type FlowDeclaration } from '../declaration.ts'

export const localShipment = {
  name: 'localShipment',
  summary: 'An item goes from one account to another, or replaces a collected one.',
  operation: 'CreateLocalShipment',
  roles: {
    shipment: { initialState: 'ReadyForDropOff', link: { by: 'swap', to: existingShipment } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { IsReceiverDelayed: false },
      reached: { shipment: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
      cancels: ['shipment'],
    },
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { IsReceiverDelayed: true },
      // With an early receiver the state is ReadyForPickup, which follows this one.
      reached: { shipment: 'WaitForReceiver' },
      window: '7d',
      onTimeout: 'cancel',
      cancels: ['shipment'],
    },
    {
      name: 'receiver',
      summary: 'The user who collects the item is named.',
      when: { IsReceiverDelayed: true },
      reached: { shipment: 'ReadyForPickup' },
      window: '3d',
      onTimeout: 'ask',
      cancels: [],
      completedBy: { update: 'assignReceiver', role: 'shipment' },
    },
    {
      name: 'pickUp',
      summary: 'The receiver collects the item.',
      reached: { shipment: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
