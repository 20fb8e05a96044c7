import type { Verb } from '../command/verb.ts'

/** What is wrong with an installation. */
export const doctorVerbs: readonly Verb[] = [
  {
    name: 'doctor',
    summary: 'Check every part that the flows need, and print how to fix those that fail.',
    example: 'lockerflow doctor',
    load: async () => (await import('./actions.ts')).doctor,
  },
]
