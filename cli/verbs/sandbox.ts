import type { Verb } from '../command/verb.ts'

/** Verbs of a service in staging, and of the stack that `lockerflow dev` starts. */
export const sandboxVerbs: readonly Verb[] = [
  {
    name: 'requests tail',
    summary: 'Print the requests of the tenant as the service answers them.',
    options: [
      {
        flags: '--status <status>',
        summary: 'A status such as 409 or 4xx, the code of an error, ok or refused',
        values: ['ok', 'refused', '4xx', '5xx'],
      },
      { flags: '--operation <name>', summary: 'An operation, or the beginning of its name' },
      { flags: '--case <caseNo>', summary: 'Only requests that name this case or one of its shipments' },
      { flags: '--no-follow', summary: 'End after the requests that the service remembers' },
    ],
    example: 'lockerflow requests tail --status refused --no-follow',
    load: () => import('../sandbox/tail.ts'),
  },
]
