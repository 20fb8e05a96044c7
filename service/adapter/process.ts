import { nameListener, reportStopFailure, stopOnSignals } from '#platform/settings'
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
  const settings = readEnvironment(source)
  const simulator = await startSimulator(settings).catch(error => {
    throw nameListener(error, { LOCKERFLOW_SIMULATOR: settings })
  })
  stopOnSignals(() => simulator.stop().catch(reportStopFailure('hardware')))
  onReady({ address: simulator.address }, `hardware ready: ${simulator.address}, simulated`)
}
