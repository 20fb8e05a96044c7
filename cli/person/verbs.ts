import type { Verb } from '../command/verb.ts'

/** The data of a person in the store. */
export const personVerbs: readonly Verb[] = [
  {
    name: 'person',
    summary: 'Print all data of a person as JSON, or erase it.',
    options: [
      { flags: '--user <uid>', summary: 'The userUid of the account', required: true },
      { flags: '--tenant <name>', summary: 'The tenant' },
      { flags: '--erase', summary: 'Erase the data, and report what stays' },
    ],
    example: 'lockerflow person --user user-1',
    load: () => import('./actions.ts'),
  },
]
