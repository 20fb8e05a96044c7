import { readEnvironment } from './environment.ts'
import { startSimulator } from './simulator.ts'

/** The address of a simulator. */
export interface ReadySimulator {
  readonly address: string
}

/**
 * Runs a simulator of the locker hardware in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runSimulator(
  onReady: (ready: ReadySimulator, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const simulator = await startSimulator(readEnvironment(source))
  const stop = () => void simulator.stop()
  process.once('SIGTERM', stop).once('SIGINT', stop)
  onReady({ address: simulator.address }, `hardware ready: ${simulator.address}, simulated`)
}
