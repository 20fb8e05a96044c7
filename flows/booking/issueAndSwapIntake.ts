import type { FlowDeclaration } from './declaration.ts'

export const issueAndSwapIntake = {
  name: 'issueAndSwapIntake',
  summary: 'An item is issued to a user, who brings another one back in the same opening.',
  operation: 'CreateLocalShipmentAsIssueAndSwapIntake',
  roles: {
    issue: { first: 'ReadyForDropOff' },
    intake: { first: 'WaitForPriorShipment', link: { by: 'swaps', to: 'issue' } },
  },
  booking: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      answer: 'cancel',
      cancels: ['issue', 'intake'],
    },
    {
      name: 'swap',
      summary: 'The user collects the item and leaves the other one.',
      reached: { issue: 'Completed', intake: 'ReadyForPickup' },
      window: '3d',
      answer: 'ask',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects what was brought back.',
      reached: { intake: 'Completed' },
      window: '48h',
      answer: 'remind',
      cancels: [],
    },
  ],
  handsBack: {},
} as const satisfies FlowDeclaration
