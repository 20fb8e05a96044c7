import type { Verb, VerbOption } from '../command/verb.ts'

const pup: VerbOption = { flags: '--pup <uid>', summary: 'The pick up point' }
const locker: VerbOption = { flags: '--locker <name>', summary: 'One locker; without it the whole pick up point' }

/** Lockers and pick up points in the store of the service. */
export const lockersVerbs: readonly Verb[] = [
  {
    name: 'lockers list',
    summary: 'List pick up points and their lockers that take no bookings; with --pup, all its lockers.',
    options: [pup],
    example: 'lockerflow lockers list --pup pup-1',
    load: async () => (await import('./actions.ts')).lockersAction('list'),
  },
  {
    name: 'lockers out-of-service',
    summary: 'Take a locker or a pick up point out of service.',
    options: [{ ...pup, required: true }, locker, { flags: '--reason <text>', summary: 'The reason', required: true }],
    example: 'lockerflow lockers out-of-service --pup pup-3 --locker 1 --reason "The door is bent"',
    load: async () => (await import('./actions.ts')).lockersAction('out-of-service'),
  },
  {
    name: 'lockers in-service',
    summary: 'Return a locker or a pick up point to service.',
    options: [{ ...pup, required: true }, locker],
    example: 'lockerflow lockers in-service --pup pup-3 --locker 1',
    load: async () => (await import('./actions.ts')).lockersAction('in-service'),
  },
]
