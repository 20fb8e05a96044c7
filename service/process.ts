import { nameListener, readTogether, reportStopFailure, stopOnSignals } from '#platform/settings'
import { readTelemetry, startTelemetry } from '#platform/telemetry'
import { readEnvironment } from './environment.ts'
import { startService } from './start.ts'

/** A service that accepts requests. */
export interface ReadyService {
  readonly address: string
  readonly environment: string
}

/**
 * Runs a service in this process until SIGTERM or SIGINT. Resolves when it listens.
 * @throws SettingsError with every problem
 */
export async function runService(
  onReady: (ready: ReadyService, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const { settings } = readTogether({
    settings: () => readEnvironment(source),
    telemetry: () => readTelemetry('service', source),
  })
  const telemetry = await startTelemetry(
    'service',
    reason => settings.log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported'),
    { source },
  )
  // Not loaded without metrics.
  const observer = telemetry.metrics ? (await import('./metrics/index.ts')).createObserver(settings.log) : undefined
  const listeners = { LOCKERFLOW_METRICS: telemetry.prometheus, LOCKERFLOW_SERVICE: settings }
  const service = await startService({ ...settings, observer }).catch(error => {
    throw nameListener(error, listeners)
  })
  stopOnSignals(() => service.stop().catch(reportStopFailure('service')).then(telemetry.stop))
  const { address } = service
  const { environment } = service.settings
  // After the handlers: a script that waits for the line can send a signal at once.
  onReady({ address, environment }, `service ready: ${address}, ${environment}`)
}
