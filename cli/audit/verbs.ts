import type { Verb, VerbOption } from '../command/verb.ts'

const tenant: VerbOption = { flags: '--tenant <name>', summary: 'The tenant' }

/** The audit log in the store. */
export const auditVerbs: readonly Verb[] = [
  {
    name: 'audit export',
    summary: 'Print the audit log as lines of JSON.',
    options: [
      tenant,
      { flags: '--since <time>', summary: 'From a time, a date or an age such as 30d' },
      { flags: '--until <time>', summary: 'Until a time, a date or an age' },
    ],
    example: 'lockerflow audit export --tenant acme --since 30d',
    load: async () => (await import('./actions.ts')).exportEntries,
  },
  {
    name: 'audit collect',
    summary: 'Copy the decisions of operators about flows from Temporal into the audit log.',
    options: [
      { ...tenant, required: true },
      { flags: '--since <time>', summary: 'Flows that ran since a time, a date or an age, by default 7d' },
      { flags: '--every <duration>', summary: 'Repeat this at the interval until Ctrl-C, and write a log' },
      { flags: '--end', summary: 'Make a last pass. Afterwards, a missing process with --every raises no alert' },
    ],
    example: 'lockerflow audit collect --tenant acme --since 30d',
    load: async () => (await import('./collect.ts')).collect,
  },
]
