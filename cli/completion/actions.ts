import { misuse } from '../command/failure.ts'
import type { Verb, VerbAction } from '../command/verb.ts'
import { findCandidates } from './candidates.ts'
import { scripts, shells } from './scripts.ts'

/** Prints the script that a shell loads. */
export const completion: VerbAction = {
  async run({ values: [name], output }) {
    const shell = shells.find(each => each === name)
    if (shell === undefined) throw misuse(`shell: must be one of ${shells.join(', ')}, and is "${name}".`)
    const script = scripts[shell]
    output.result({ shell, script }, () => [script.trimEnd()])
  },
}

/** Prints the candidates for the last word, a line each. The scripts call it. */
export function completeWith(verbs: readonly Verb[]): VerbAction {
  return {
    async run({ values, output }) {
      const words = values.filter(value => value !== undefined)
      const found = await findCandidates(verbs, words)
      output.result(found, () => found)
    },
  }
}
