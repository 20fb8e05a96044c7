import type { Verb } from '../command/verb.ts'

/** A topology file and the store of the service. */
export const topologyVerbs: readonly Verb[] = [
  {
    name: 'topology',
    summary: 'Show what a topology file would change in the store, or change it.',
    arguments: [{ name: 'file', summary: 'A topology file' }],
    options: [
      { flags: '--apply', summary: 'Add and update the entries of the file. Removes nothing without --retire' },
      { flags: '--retire', summary: 'Also retire what the file does not declare' },
    ],
    example: 'lockerflow topology topology.yaml',
    load: () => import('./actions.ts'),
  },
]
