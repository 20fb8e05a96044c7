import { enableCompileCache } from 'node:module'
import type { OnReady } from '#platform/process'

// Halves the time of later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
const { nameListener } = await import('#platform/ports')
const { beginProcess, reportStopFailure, runMain, stopOnSignals } = await import('#platform/process')
const { readSettings } = await import('./settings.ts')
const { startService } = await import('./start.ts')

/** A service that accepts requests. */
export interface ReadyService {
  readonly address: string
  readonly environment: string
}

/**
 * Runs a service in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runService(onReady: OnReady<ReadyService>, source?: NodeJS.ProcessEnv): Promise<void> {
  const { settings, telemetry } = await beginProcess('service', source, () => readSettings(source))
  // Not loaded without metrics.
  const observer = telemetry.metrics ? (await import('./metrics/index.ts')).createObserver(settings.log) : undefined
  const service = await startService({ ...settings, observer }).catch(error => {
    throw nameListener(error, { LOCKERFLOW_METRICS: telemetry.prometheus, LOCKERFLOW_SERVICE: settings })
  })
  stopOnSignals(() => service.stop().catch(reportStopFailure('service')).then(telemetry.stop))
  const { address } = service
  const { environment } = settings
  // After the handlers: a script that waits for the line can send a signal at once.
  onReady({ address, environment }, `service ready: ${address}, ${environment}`)
}

if (import.meta.main) await runMain('service', runService)
