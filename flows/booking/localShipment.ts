import type { FlowDeclaration } from '../declaration.ts'

export const localShipment = {
  name: 'localShipment',
  summary: 'An item goes from one account to another, or replaces a collected one.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipment',
    },
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { 'input.IsReceiverDelayed': false },
      wait: { shipment: 'ReadyForPickup' },
      window: '7d',
      onTimeout: 'cancel',
    },
    {
      name: 'dropOff',
      summary: 'The sender places the item in the locker.',
      when: { 'input.IsReceiverDelayed': true },
      // With an early receiver the state is ReadyForPickup, which follows this one.
      wait: { shipment: 'WaitForReceiver' },
      window: '7d',
      onTimeout: 'cancel',
    },
    {
      name: 'receiver',
      summary: 'The user who collects the item is named.',
      when: { 'input.IsReceiverDelayed': true },
      wait: { shipment: 'ReadyForPickup' },
      window: '3d',
      onTimeout: 'ask',
      completedBy: { update: 'assignReceiver', role: 'shipment' },
    },
    {
      name: 'pickUp',
      summary: 'The receiver collects the item.',
      wait: { shipment: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
  ],
} as const satisfies FlowDeclaration
