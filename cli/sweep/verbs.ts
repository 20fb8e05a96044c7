import type { Verb } from '../command/verb.ts'

/** Bookings without a flow. */
export const sweepVerbs: readonly Verb[] = [
  {
    name: 'sweep',
    summary: 'List, adopt or cancel bookings of the service that have no flow.',
    options: [
      { flags: '--adopt', summary: 'Start a flow for each of them' },
      { flags: '--cancel', summary: 'Cancel them' },
      { flags: '--case <number>', summary: 'Only those of one case' },
      { flags: '--flow <name>', summary: 'The flow to start for them' },
      { flags: '--older-than <duration>', summary: 'Only those without a change for this time', default: '15m' },
      { flags: '--schedule <interval>', summary: 'Sweep every 1h, or off' },
    ],
    example: 'lockerflow sweep --older-than 15m',
    load: async () => (await import('./actions.ts')).sweep,
  },
]
