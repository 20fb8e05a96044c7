import type { Verb } from '../command/verb.ts'

/** Lockers and pick up points in the store of the service. */
export const lockersVerbs: readonly Verb[] = [
  {
    name: 'lockers',
    summary: 'List pick up points and their lockers that take no bookings, or take some out of service.',
    options: [
      { flags: '--pup <uid>', summary: 'The pick up point. Lists all its lockers' },
      { flags: '--out-of-service <reason>', summary: 'Take the pick up point out of service, for this reason' },
      { flags: '--in-service', summary: 'Return the pick up point to service' },
      { flags: '--locker <name>', summary: 'With one of these two: one locker instead of the whole pick up point' },
    ],
    example: 'lockerflow lockers --pup pup-1',
    load: () => import('./actions.ts'),
  },
]
