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
      name: 'earlyDropOff',
      summary: 'The sender places the item in the locker, for a receiver who may be named later.',
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
      parallel: [
        {
          name: 'elsewhere',
          steps: [
            {
              name: 'set',
              summary: 'Another program sets the receiver.',
              wait: { shipment: 'ReadyForPickup' },
              window: null,
            },
          ],
        },
        {
          name: 'here',
          steps: [
            {
              name: 'tries',
              summary: 'Users are named until the service accepts one.',
              repeat: { atMost: 5 },
              until: { 'assign.error': { present: false } },
              steps: [
                {
                  name: 'naming',
                  summary: 'The dispatcher names the user.',
                  ask: { named: { toUserUid: 'uid' } },
                  who: 'dispatcher',
                  window: null,
                },
                {
                  name: 'assign',
                  summary: 'The user becomes the receiver.',
                  call: 'SetShipmentReceiver',
                  request: {
                    shipmentUid: { from: 'shipment.shipmentUid' },
                    toUserUid: { from: 'naming.toUserUid' },
                  },
                  onError: { InvalidUserUid: 'continue', InvalidShipmentState: 'continue' },
                },
              ],
            },
          ],
        },
      ],
      until: 'first',
      window: '3d',
      onTimeout: 'ask',
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
