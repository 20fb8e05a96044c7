import { readCalendars } from '#calendars'
import { readEnvironment, readOwnFiles, type WorkerProcessSettings } from './environment.ts'
import { type LoadedOwnFlows, loadOwnFlows } from './ownFlows.ts'
import { type RunningWorker, startWorker, type WorkerSettings } from './worker.ts'

/**
 * Starts a worker in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow worker` do. It polls when the promise resolves.
 *
 * ```ts
 * const worker = await startWorker({ flows: [repairShop], activities: { printLabel } })
 * process.once('SIGTERM', () => worker.stop())
 * await worker.ended
 * ```
 * @throws SettingsError with every problem of the environment
 * @throws Error when Temporal cannot be reached, a search attribute is missing, the server does not support versioning, or
 * an own flow or activity is invalid
 */
export async function startWorkerFromEnvironment(settings: Partial<WorkerSettings> = {}): Promise<RunningWorker> {
  return startWorker(await withEnvironment(settings))
}

/**
 * Adds the settings of the environment that are absent.
 * @throws SettingsError with every problem of the parts that are read
 */
export async function withEnvironment(
  given: Partial<WorkerSettings>,
  source?: NodeJS.ProcessEnv,
): Promise<WorkerSettings> {
  const { host: _host, healthPort: _port, log: _log, ...settings } = await readProcess(given, source)
  return settings
}

/**
 * The same, with the settings that only a process has.
 * @throws SettingsError with every problem of the parts that are read
 */
export async function readProcess(
  given: Partial<WorkerSettings> = {},
  source?: NodeJS.ProcessEnv,
): Promise<Omit<WorkerProcessSettings, 'ownFiles' | 'calendarFile'>> {
  const { ownFiles, calendarFile, ...read } = readEnvironment(source, given)
  const calendars = given.calendars ?? (calendarFile === undefined ? undefined : readCalendars(calendarFile))
  // Flows name their activities, so both come from one place.
  const isGiven = given.flows !== undefined || given.activities !== undefined
  const { warnings, ...own } = await loadOwnFlows(isGiven ? {} : { ...ownFiles, ...(calendars && { calendars }) })
  for (const warning of warnings) read.log.warn({ logId: 'flow-warning', reason: warning }, 'flow not fully checked')
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...read, ...own, ...(calendars && { calendars }), ...present }
}

/**
 * Reads the flows that the environment names, with their activities and calendars.
 * @throws SettingsError, or an Error with a line for each fault of the files
 */
export async function readOwnFlows(
  source: NodeJS.ProcessEnv,
): Promise<LoadedOwnFlows & Pick<WorkerSettings, 'calendars'>> {
  const { ownFiles, calendarFile } = readOwnFiles(source)
  const read = calendarFile === undefined ? {} : { calendars: readCalendars(calendarFile) }
  return { ...(await loadOwnFlows({ ...ownFiles, ...read })), ...read }
}
