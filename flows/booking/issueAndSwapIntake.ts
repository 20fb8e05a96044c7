import type { FlowDeclaration } from '../declaration.ts'

export const issueAndSwapIntake = {
  name: 'issueAndSwapIntake',
  summary: 'An item is issued to a user, who brings another one back in the same opening.',
  operation: 'CreateLocalShipmentAsIssueAndSwapIntake',
  roles: {
    issue: { initialState: 'ReadyForDropOff' },
    intake: { initialState: 'WaitForPriorShipment', link: { by: 'swap', to: 'issue' } },
  },
  bookingWindow: '1h',
  stages: [
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item in the locker.',
      reached: { issue: 'ReadyForPickup' },
      window: '48h',
      onTimeout: 'cancel',
      cancels: ['issue', 'intake'],
    },
    {
      name: 'swap',
      summary: 'The user collects the item and leaves the other one.',
      reached: { issue: 'Completed', intake: 'ReadyForPickup' },
      window: '3d',
      onTimeout: 'ask',
      cancels: ['intake'],
    },
    {
      name: 'collect',
      summary: 'The dispatcher collects the returned item.',
      reached: { intake: 'Completed' },
      window: '48h',
      onTimeout: 'remind',
      cancels: [],
    },
  ],
  outputs: {},
} as const satisfies FlowDeclaration
