import type { FlowDeclaration } from './declaration.ts'

export const issue = {
  name: 'issue',
  summary: 'An item is issued to a user.',
  operation: 'CreateLocalShipmentAsIssue',
  roles: { issue: { first: 'ReadyForDropOff' } },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      answer: 'cancel',
      cancels: ['issue'],
    },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      reached: { issue: 'Completed' },
      window: '3d',
      answer: 'ask',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
