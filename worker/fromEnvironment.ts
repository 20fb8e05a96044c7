import { loadTogether } from '#platform/settings'
import { readEnvironment, readOwnFileNames, type WorkerProcessSettings } from './environment.ts'
import { loadOwnFiles, type OwnFiles } from './ownFiles.ts'
import type { WorkerSettings } from './settings.ts'
import type { RunningWorker } from './worker.ts'

export { preparationVariables, promotionVariables, workerVariables } from './variables.ts'

/**
 * Starts a worker in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow worker` do. It polls when the promise resolves.
 *
 * ```ts
 * const worker = await startWorker({ flows: [repairShop], activities: { printLabel } })
 * process.once('SIGTERM', () => worker.stop())
 * await worker.ended
 * ```
 * @throws SettingsError with every problem of the environment and of the files that it names
 * @throws Error when Temporal cannot be reached, a search attribute is missing, the server does not support versioning, or
 * a flow or activity of the team is invalid
 */
export async function startWorkerFromEnvironment(settings: Partial<WorkerSettings> = {}): Promise<RunningWorker> {
  // The command reads these settings without Temporal's worker.
  const { startWorker } = await import('./worker.ts')
  return startWorker(await withEnvironment(settings))
}

/**
 * Adds the settings of the environment that are absent.
 * @throws SettingsError with every problem of the parts that are read, and of the files that they name
 */
export async function withEnvironment(
  given: Partial<WorkerSettings>,
  source?: NodeJS.ProcessEnv,
): Promise<WorkerSettings> {
  const { host: _host, healthPort: _port, log: _log, ...settings } = await readProcess(given, source)
  return settings
}

/**
 * Adds the settings of the environment that are absent, with those that only a process has.
 * @throws SettingsError as above
 */
export async function readProcess(
  given: Partial<WorkerSettings> = {},
  source?: NodeJS.ProcessEnv,
): Promise<WorkerProcessSettings> {
  const loaded = await loadTogether({
    read: () => readEnvironment(source, given),
    own: () => loadOwnFiles(readOwnFileNames(source), given),
  })
  const { read } = loaded
  const { warnings, ...own } = loaded.own
  for (const warning of warnings) read.log.warn({ logId: 'flow-warning', reason: warning }, 'flow not fully checked')
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...read, ...own, ...present }
}

/** Loads the flows that the environment names, with their activities and calendars. @throws SettingsError */
export async function readOwnFlows(source: NodeJS.ProcessEnv): Promise<OwnFiles> {
  return loadOwnFiles(readOwnFileNames(source))
}
