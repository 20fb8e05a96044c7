import type { FlowDeclaration } from '../declaration.ts'

export const collectByDispatcher = {
  name: 'collectByDispatcher',
  summary: 'A locker is booked for a collection by the dispatcher.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the item.',
      when: { 'input.KeepBookedAfterPickUp': false },
      wait: { collect: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
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
