import type { VerbAction } from './command/verb.ts'

/** A process that reads its settings from an environment, and reports when it is ready. */
type Process = (onReady: (ready: object, line: string) => void, source: NodeJS.ProcessEnv) => Promise<void>

/** The action of a process: it prints one answer when it is ready, and ends by a signal. */
export function processAction(run: Process): VerbAction {
  return {
    run: ({ environment, output }) => run((ready, line) => output.item(ready, () => line), environment),
  }
}
