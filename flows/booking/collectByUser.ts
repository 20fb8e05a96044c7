import type { FlowDeclaration } from '../declaration.ts'

export const collectByUser = {
  name: 'collectByUser',
  summary: "A locker is booked for a user's collection.",
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateCollectOnlyShipmentAsCollectByUser',
    },
    {
      name: 'collect',
      summary: 'The user collects the item.',
      when: { 'input.KeepBookedAfterPickUp': false },
      wait: { collect: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
    {
      name: 'kept',
      summary: 'The locker stays booked until it is released.',
      when: { 'input.KeepBookedAfterPickUp': true },
      ask: { release: {} },
      who: 'dispatcher',
      window: null,
    },
    {
      name: 'free',
      summary: 'The booking ends.',
      when: { 'kept.answer': 'release' },
      call: 'CancelShipment',
      request: { shipmentUid: { from: 'collect.shipmentUid' } },
      // It can have ended meanwhile.
      onError: { InvalidShipmentState: 'continue' },
    },
  ],
} as const satisfies FlowDeclaration
