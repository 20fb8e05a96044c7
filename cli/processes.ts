import type { VerbAction } from './command/verb.ts'
import { describeUsedPort } from './ports.ts'

/** A process that reads its settings from an environment, and reports when it is ready. */
type Process = (onReady: (ready: object, line: string) => void, source: NodeJS.ProcessEnv) => Promise<void>

/**
 * The action of a process: it prints one answer when it is ready, and ends by a signal.
 * @param portSettings the variables of its ports, the one with a default first
 */
export function processAction(run: Process, portSettings: readonly [string, ...string[]]): VerbAction {
  return {
    async run({ environment, output }) {
      try {
        await run((ready, line) => output.item(ready, () => line), environment)
      } catch (error) {
        throw nameUsedPort(error, portSettings, environment)
      }
    },
  }
}

/** The error of the system has the address only, and a process may have several ports. */
function nameUsedPort(error: unknown, names: readonly [string, ...string[]], environment: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return error
  const { port } = error
  const ip = 'address' in error ? String(error.address) : ''
  const setting = names.find(name => environment[name] === String(port)) ?? names[0]
  return new Error(describeUsedPort(setting, ip, Number(port)), { cause: error })
}
