import type { Verb, VerbOption } from '../command/verb.ts'

const file = { name: 'file', summary: 'A topology file' }
const retire: VerbOption = { flags: '--retire', summary: 'Also retire what the file does not declare' }

/** A topology file and the store of the service. */
export const topologyVerbs: readonly Verb[] = [
  {
    name: 'topology preview',
    summary: 'Show what a topology file would change in the store.',
    arguments: [file],
    options: [retire],
    example: 'lockerflow topology preview topology.yaml',
    load: async () => (await import('./actions.ts')).topologyAction('preview'),
  },
  {
    name: 'topology apply',
    summary: 'Add and update the entries of a topology file in the store. Removes nothing without --retire.',
    arguments: [file],
    options: [retire],
    example: 'lockerflow topology apply topology.yaml',
    load: async () => (await import('./actions.ts')).topologyAction('apply'),
  },
]
