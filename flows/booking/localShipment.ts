import { type FlowDeclaration, given } from './declaration.ts'

export const localShipment = {
  name: 'localShipment',
  summary: 'An item goes from one account to another, or takes the place of one that is collected.',
  operation: 'CreateLocalShipment',
  roles: {
    shipment: { first: 'ReadyForDropOff', link: { by: 'swaps', to: given } },
  },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { IsReceiverDelayed: false },
      reached: { shipment: 'ReadyForPickup' },
      window: '7d',
      answer: 'cancel',
      cancels: ['shipment'],
    },
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { IsReceiverDelayed: true },
      // With a receiver who was named early it is ReadyForPickup, which lies behind this.
      reached: { shipment: 'WaitForReceiver' },
      window: '7d',
      answer: 'cancel',
      cancels: ['shipment'],
    },
    {
      name: 'receiver',
      summary: 'Somebody names the user who collects the item.',
      when: { IsReceiverDelayed: true },
      reached: { shipment: 'ReadyForPickup' },
      window: '3d',
      answer: 'ask',
      cancels: [],
      order: { update: 'assignReceiver', role: 'shipment' },
    },
    {
      name: 'pickUp',
      summary: 'The receiver collects the item.',
      reached: { shipment: 'Completed' },
      window: '3d',
      answer: 'ask',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
