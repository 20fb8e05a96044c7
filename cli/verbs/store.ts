import type { Verb, VerbOption } from '../command/verb.ts'

const tenant: VerbOption = { flags: '--tenant <name>', summary: 'The tenant' }
const user: VerbOption = { flags: '--user <uid>', summary: 'The userUid of the account', required: true }
const pup: VerbOption = { flags: '--pup <uid>', summary: 'The pick up point' }
const locker: VerbOption = { flags: '--locker <name>', summary: 'One locker; without it the whole pick up point' }
const expires: VerbOption = {
  flags: '--expires <duration>',
  summary: 'The secret expires after this time, such as 90d',
}
const client = { name: 'client', summary: 'The client id' }
const file = { name: 'file', summary: 'A topology file' }
const retire: VerbOption = { flags: '--retire', summary: 'Also retire what the file does not declare' }

/** Verbs that change the store of the service directly, so they also work while no service runs. */
export const storeVerbs: readonly Verb[] = [
  {
    name: 'clients list',
    summary: 'List the API clients of each tenant, their secrets and the signing keys.',
    example: 'lockerflow clients list',
    load: async () => (await import('../clients/actions.ts')).clientsAction('list'),
  },
  {
    name: 'clients add',
    summary: 'Add an API client and print its secret, once.',
    arguments: [client],
    options: [{ ...tenant, required: true }, expires],
    example: 'lockerflow clients add robot --tenant acme --expires 90d',
    load: async () => (await import('../clients/actions.ts')).clientsAction('add'),
  },
  {
    name: 'clients rotate',
    summary: 'Give a client a new secret, and accept the old one for a while.',
    arguments: [client],
    options: [
      { flags: '--overlap <duration>', summary: 'How long the old secret is accepted, by default 1d' },
      expires,
    ],
    example: 'lockerflow clients rotate robot --overlap 1h',
    load: async () => (await import('../clients/actions.ts')).clientsAction('rotate'),
  },
  {
    name: 'clients revoke',
    summary: 'Revoke the tokens of a client, or a signing key.',
    arguments: [{ ...client, optional: true }],
    options: [{ flags: '--key <id>', summary: 'A signing key instead of a client' }],
    example: 'lockerflow clients revoke robot',
    load: async () => (await import('../clients/actions.ts')).clientsAction('revoke'),
  },
  {
    name: 'clients enable',
    summary: 'Switch a client, or a tenant with all its clients, on again.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients enable robot',
    load: async () => (await import('../clients/actions.ts')).clientsAction('enable'),
  },
  {
    name: 'clients disable',
    summary: 'Switch a client, or a tenant with all its clients, off.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients disable robot',
    load: async () => (await import('../clients/actions.ts')).clientsAction('disable'),
  },
  {
    name: 'clients remove',
    summary: 'Remove a client, or a tenant with its clients and ended shipments.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients remove robot',
    load: async () => (await import('../clients/actions.ts')).clientsAction('remove'),
  },
  {
    name: 'lockers list',
    summary: 'List pick up points and their lockers that take no bookings; with --pup, all its lockers.',
    options: [pup],
    example: 'lockerflow lockers list --pup pup-1',
    load: async () => (await import('../lockers/actions.ts')).lockersAction('list'),
  },
  {
    name: 'lockers out-of-service',
    summary: 'Take a locker or a pick up point out of service.',
    options: [{ ...pup, required: true }, locker, { flags: '--reason <text>', summary: 'The reason', required: true }],
    example: 'lockerflow lockers out-of-service --pup pup-3 --locker 1 --reason "The door is bent"',
    load: async () => (await import('../lockers/actions.ts')).lockersAction('out-of-service'),
  },
  {
    name: 'lockers in-service',
    summary: 'Return a locker or a pick up point to service.',
    options: [{ ...pup, required: true }, locker],
    example: 'lockerflow lockers in-service --pup pup-3 --locker 1',
    load: async () => (await import('../lockers/actions.ts')).lockersAction('in-service'),
  },
  {
    name: 'topology preview',
    summary: 'Show what a topology file would change in the store.',
    arguments: [file],
    options: [retire],
    example: 'lockerflow topology preview topology.yaml',
    load: async () => (await import('../topology/actions.ts')).topologyAction('preview'),
  },
  {
    name: 'topology apply',
    summary: 'Add and update the entries of a topology file in the store. Removes nothing without --retire.',
    arguments: [file],
    options: [retire],
    example: 'lockerflow topology apply topology.yaml',
    load: async () => (await import('../topology/actions.ts')).topologyAction('apply'),
  },
  {
    name: 'secrets list',
    summary: 'List the keys that encrypt secrets in the store.',
    example: 'lockerflow secrets list',
    load: async () => (await import('../secrets/actions.ts')).list,
  },
  {
    name: 'secrets rotate',
    summary: 'Replace the data key and encrypt all secrets of the store again.',
    example: 'lockerflow secrets rotate',
    load: async () => (await import('../secrets/actions.ts')).rotate,
  },
  {
    name: 'audit export',
    summary: 'Print the audit log as lines of JSON.',
    options: [
      tenant,
      { flags: '--since <time>', summary: 'From a moment, a date or an age such as 30d' },
      { flags: '--until <time>', summary: 'Until a moment, a date or an age' },
    ],
    example: 'lockerflow audit export --tenant acme --since 30d',
    load: async () => (await import('../audit/actions.ts')).exportEntries,
  },
  {
    name: 'audit collect',
    summary: 'Copy the decisions of operators about flows from Temporal into the audit log.',
    options: [
      { ...tenant, required: true },
      { flags: '--since <time>', summary: 'Flows that ran since a moment, a date or an age, by default 7d' },
      { flags: '--every <duration>', summary: 'Repeat this at the interval until Ctrl-C, and write a log' },
      { flags: '--end', summary: 'Make a last pass. Afterwards, a missing process with --every raises no alert' },
    ],
    example: 'lockerflow audit collect --tenant acme --since 30d',
    load: async () => (await import('../audit/collect.ts')).collect,
  },
  {
    name: 'person export',
    aliases: ['export'],
    summary: 'Print all data of a person as JSON.',
    options: [user, tenant],
    example: 'lockerflow person export --user user-1',
    load: async () => (await import('../person/actions.ts')).exportPerson,
  },
  {
    name: 'person erase',
    aliases: ['erase'],
    summary: 'Erase the data of a person, and report what stays.',
    options: [user, tenant],
    example: 'lockerflow person erase --user user-1',
    load: async () => (await import('../person/actions.ts')).erasePerson,
  },
  {
    name: 'copy',
    aliases: ['move'],
    summary: 'Copy the embedded store to an empty PostgreSQL database.',
    arguments: [
      { name: 'from', summary: 'The file: URL of the embedded store' },
      {
        name: 'to',
        summary:
          'The postgres:// URL of an empty database, by default LOCKERFLOW_DATABASE_URL or the file that LOCKERFLOW_DATABASE_URL_FILE names',
        optional: true,
      },
    ],
    example: 'lockerflow copy file:.lockerflow/service.db postgres://lockerflow@127.0.0.1:5432/lockerflow',
    load: async () => (await import('../copy/actions.ts')).copy,
  },
]
