// The start of a process, its stop at a signal, and the report of a failed start or stop.
import type { Logger } from 'pino'
import { ownEnvironment } from '#platform/environment'
import { findUnknownNames, loadTogether, SettingsError } from '#platform/settings'
import { readTelemetry, startTelemetry, type Telemetry } from '#platform/telemetry'

/** Called once a process is ready, with its addresses and a line for people. */
export type OnReady<Ready extends object> = (ready: Ready, line: string) => void

/**
 * Reads the settings of a process together with its telemetry, which it starts.
 * @param ownMetrics false if the process exports its metrics by itself
 * @throws SettingsError with every problem of both
 */
export async function beginProcess<Settings extends { readonly log: Logger }>(
  name: 'service' | 'gateway' | 'worker',
  source: NodeJS.ProcessEnv | undefined,
  readSettings: () => Settings | Promise<Settings>,
  { ownMetrics = true }: { readonly ownMetrics?: boolean } = {},
): Promise<{ readonly settings: Settings; readonly telemetry: Telemetry }> {
  const read = { settings: readSettings, telemetry: () => readTelemetry(name, source) }
  const { settings } = await loadTogether<{ settings: Settings; telemetry: unknown }>(read)
  reportUnknownNames(settings.log, source)
  const report = (reason: string) =>
    settings.log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported')
  return { settings, telemetry: await startTelemetry(name, report, { ownMetrics, source }) }
}

/** A misspelled setting is ignored, so that several versions can share one environment. */
export function reportUnknownNames(log: Logger, source = ownEnvironment()): void {
  for (const { setting, problem } of findUnknownNames(source))
    log.warn({ logId: 'unknown-setting', setting, problem }, 'unknown setting')
}

/**
 * Runs a process that Node started by its own file, on the environment of the process. A failed start is one line and an
 * exit code.
 */
export async function runMain(name: string, run: (onReady: OnReady<object>) => Promise<void>): Promise<void> {
  try {
    await run((_ready, line) => console.log(line))
  } catch (error) {
    printFailure(name, error)
    // A pending response would keep the process alive for minutes.
    process.exit(toExitCode(error))
  }
}

/** The exit code of a failed start, as that of a command: 2 for wrong settings, 3 without its database, otherwise 1. */
function toExitCode(error: unknown): number {
  if (error instanceof SettingsError) return 2
  return error instanceof Error && 'code' in error && error.code === 'NotReachable' ? 3 : 1
}

/**
 * Returns a function that reports why a process did not stop cleanly: one line as for a start that fails, and exit code 1.
 * Without it the rejection would end the process before its telemetry is exported.
 */
export function reportStopFailure(name: string): (error: unknown) => void {
  return error => {
    printFailure(name, error)
    process.exitCode = 1
  }
}

function printFailure(name: string, error: unknown): void {
  console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
}

/**
 * Stops a process at SIGTERM and SIGINT. It exits by itself after its stop.
 * @param killAfter milliseconds after which it exits even if the stop hangs: docker waits for ten seconds
 */
export function stopOnSignals(stop: () => unknown, killAfter = 9_500): void {
  const onSignal = () => {
    setTimeout(() => process.exit(1), killAfter).unref()
    stop()
  }
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
}
