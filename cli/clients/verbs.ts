import type { Verb, VerbOption } from '../command/verb.ts'

const tenant: VerbOption = { flags: '--tenant <name>', summary: 'The tenant' }
const expires: VerbOption = {
  flags: '--expires <duration>',
  summary: 'The secret expires after this time, such as 90d',
}
const client = { name: 'client', summary: 'The client id' }

/** API clients in the store of the service. */
export const clientsVerbs: readonly Verb[] = [
  {
    name: 'clients list',
    summary: 'List the API clients of each tenant, their secrets and the signing keys.',
    example: 'lockerflow clients list',
    load: async () => (await import('./actions.ts')).clientsAction('list'),
  },
  {
    name: 'clients add',
    summary: 'Add an API client and print its secret, once.',
    arguments: [client],
    options: [{ ...tenant, required: true }, expires],
    example: 'lockerflow clients add robot --tenant acme --expires 90d',
    load: async () => (await import('./actions.ts')).clientsAction('add'),
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
    load: async () => (await import('./actions.ts')).clientsAction('rotate'),
  },
  {
    name: 'clients revoke',
    summary: 'Revoke the tokens of a client, or a signing key.',
    arguments: [{ ...client, optional: true }],
    options: [{ flags: '--key <id>', summary: 'A signing key instead of a client' }],
    example: 'lockerflow clients revoke robot',
    load: async () => (await import('./actions.ts')).clientsAction('revoke'),
  },
  {
    name: 'clients enable',
    summary: 'Enable a client, or a tenant with all its clients, again.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients enable robot',
    load: async () => (await import('./actions.ts')).clientsAction('enable'),
  },
  {
    name: 'clients disable',
    summary: 'Disable a client, or a tenant with all its clients.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients disable robot',
    load: async () => (await import('./actions.ts')).clientsAction('disable'),
  },
  {
    name: 'clients remove',
    summary: 'Remove a client, or a tenant with its clients and ended shipments.',
    arguments: [{ ...client, optional: true }],
    options: [tenant],
    example: 'lockerflow clients remove robot',
    load: async () => (await import('./actions.ts')).clientsAction('remove'),
  },
]
