import type { Verb } from '../command/verb.ts'

/** Histories. */
export const replayVerbs: readonly Verb[] = [
  {
    name: 'replay',
    summary: 'Replay exported histories with the current workflows.',
    arguments: [{ name: 'files', summary: 'Folders or files of histories', variadic: true }],
    example: 'lockerflow replay test/histories/stock-cancelled-in-dropOff.json',
    load: async () => (await import('./actions.ts')).replay,
  },
]
