import type { Verb } from '../command/verb.ts'

/** What the service of another maker can do. */
export const capabilitiesVerbs: readonly Verb[] = [
  {
    name: 'capabilities',
    summary: 'Find the capabilities of a service: book up to three lockers for a few seconds, and cancel them.',
    options: [{ flags: '--pick-up-point <uid>', summary: 'The pick up point of the bookings', required: true }],
    example: 'lockerflow capabilities --pick-up-point pup-1',
    load: async () => (await import('./actions.ts')).capabilities,
  },
]
