import type { Verb } from '../command/verb.ts'

/** The keys that encrypt secrets in the store. */
export const secretsVerbs: readonly Verb[] = [
  {
    name: 'secrets list',
    summary: 'List the keys that encrypt secrets in the store.',
    example: 'lockerflow secrets list',
    load: async () => (await import('./actions.ts')).list,
  },
  {
    name: 'secrets rotate',
    summary: 'Replace the data key and encrypt all secrets of the store again.',
    example: 'lockerflow secrets rotate',
    load: async () => (await import('./actions.ts')).rotate,
  },
]
