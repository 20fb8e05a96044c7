import type { FlowDeclaration } from '../declaration.ts'

export const issue = {
  name: 'issue',
  summary: 'An item is issued to a user.',
  operation: 'CreateLocalShipmentAsIssue',
  roles: { issue: { initialState: 'ReadyForDropOff' } },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'cancel',
      cancels: ['issue'],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
