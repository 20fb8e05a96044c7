import type { Verb } from '../command/verb.ts'

/** Verbs of a service in staging, and of the stack that `lockerflow dev` starts. */
export const sandboxVerbs: readonly Verb[] = [
  {
    name: 'simulate',
    summary: 'Open a locker as a person would, with the access code (staging only).',
    arguments: [
      { name: 'case', summary: 'A case number, or the uid of a shipment' },
      {
        name: 'action',
        summary: 'dropOff or pickUp; by default the one that the shipment waits for',
        optional: true,
      },
    ],
    options: [
      { flags: '--wait <duration>', summary: 'Wait this long for the locker to be ready, such as 20s' },
      { flags: '--wrong-code', summary: 'Enter a wrong code, which the service refuses' },
    ],
    example: 'lockerflow simulate SEED-ISSUE pickUp',
    load: () => import('./simulate.ts'),
  },
  {
    name: 'simulate journey',
    summary: 'Play the whole story of a case: each person comes as soon as a locker is ready.',
    arguments: [{ name: 'case', summary: 'A case with bookings, or a new one for a test case' }],
    options: [
      { flags: '--story <file>', summary: 'Play the events of this file instead: a story or a test case' },
      { flags: '--only <text>', summary: 'The test case whose name contains this text' },
      { flags: '--wait <duration>', summary: 'Wait this long for the first locker, 20s by default' },
      { flags: '--settle <duration>', summary: 'End when no locker has been ready for this long, 3s by default' },
    ],
    example: 'lockerflow simulate journey SEED-INTAKE',
    load: () => import('./journey.ts'),
  },
  {
    name: 'simulate stories',
    summary: 'Play the people of cases and users with a story, such as late-1, until Ctrl-C.',
    options: [
      { flags: '--dispatcher <name>', summary: "The user name of the tenant's dispatcher", default: 'acme' },
      { flags: '--interval <duration>', summary: 'Time between two reads of the shipments', default: '1s' },
    ],
    example: 'lockerflow simulate stories',
    load: () => import('./stories.ts'),
  },
  {
    name: 'seed',
    summary: 'Create accounts and shipments to work with. Existing ones are kept.',
    options: [{ flags: '--pick-up-point <uid>', summary: 'By default the one with the most free lockers' }],
    example: 'lockerflow seed',
    load: () => import('./seed.ts'),
  },
  {
    name: 'requests tail',
    summary: 'Print the requests of the tenant as the service answers them.',
    options: [
      {
        flags: '--status <status>',
        summary: 'A status such as 409 or 4xx, the code of an error, ok or refused',
      },
      { flags: '--operation <name>', summary: 'An operation, or the beginning of its name' },
      { flags: '--case <caseNo>', summary: 'Only requests that name this case or one of its shipments' },
      { flags: '--no-follow', summary: 'Print the recent requests only, and exit' },
    ],
    example: 'lockerflow requests tail --status refused --no-follow',
    load: () => import('./tail.ts'),
  },
  {
    name: 'snapshot',
    summary: 'Save the service, the flows and the clock of lockerflow dev.',
    arguments: [
      { name: 'name', summary: 'The name, by default latest. A snapshot of this name is replaced', optional: true },
    ],
    options: [{ flags: '--list', summary: 'List the snapshots instead' }],
    example: 'lockerflow snapshot before-the-return',
    load: async () => ({ run: (await import('./stackVerbs.ts')).snapshot }),
  },
  {
    name: 'restore',
    summary: 'Return to a snapshot of lockerflow dev.',
    arguments: [{ name: 'name', summary: 'The name, by default latest', optional: true }],
    example: 'lockerflow restore before-the-return',
    load: async () => ({ run: (await import('./stackVerbs.ts')).restore }),
  },
  {
    name: 'clock advance',
    summary: 'Move the clock of lockerflow dev forward; flows pass their windows and reminders.',
    arguments: [{ name: 'duration', summary: 'Such as 49h; without a duration, the time is printed', optional: true }],
    example: 'lockerflow clock advance 49h',
    load: async () => ({ run: (await import('./stackVerbs.ts')).advance }),
  },
]
