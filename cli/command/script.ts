import { argv } from 'node:process'
import type { VerbAction } from './verb.ts'

/** The action of a program that reads its words from `process.argv` and acts when it is loaded. */
export function script(load: () => Promise<unknown>): () => Promise<VerbAction> {
  return async () => ({
    async run({ values }) {
      argv.splice(2, argv.length, ...values.filter(value => value !== undefined))
      await load()
    },
  })
}
