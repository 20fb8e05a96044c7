import type { Verb } from '../command/verb.ts'

/** The keys that encrypt secrets in the store. */
export const secretsVerbs: readonly Verb[] = [
  {
    name: 'secrets',
    summary: 'List the keys that encrypt secrets in the store, or replace the data key.',
    options: [{ flags: '--rotate', summary: 'Replace the data key and encrypt all secrets of the store again' }],
    example: 'lockerflow secrets',
    load: () => import('./actions.ts'),
  },
]
