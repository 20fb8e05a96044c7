import type { Verb, VerbOption } from '../command/verb.ts'

const tenant: VerbOption = { flags: '--tenant <name>', summary: 'The tenant' }
const user: VerbOption = { flags: '--user <uid>', summary: 'The userUid of the account', required: true }

/** The data of a person in the store. */
export const personVerbs: readonly Verb[] = [
  {
    name: 'person export',
    aliases: ['export'],
    summary: 'Print all data of a person as JSON.',
    options: [user, tenant],
    example: 'lockerflow person export --user user-1',
    load: async () => (await import('./actions.ts')).exportPerson,
  },
  {
    name: 'person erase',
    aliases: ['erase'],
    summary: 'Erase the data of a person, and report what stays.',
    options: [user, tenant],
    example: 'lockerflow person erase --user user-1',
    load: async () => (await import('./actions.ts')).erasePerson,
  },
]
