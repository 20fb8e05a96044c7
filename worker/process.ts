import { inspect } from 'node:util'
import { loadTogether, nameListener, stopOnSignals } from '#platform/settings'
import { readTelemetry, startTelemetry } from '#platform/telemetry'
import { installRuntime } from './connection.ts'
import { toVersionName } from './deployment.ts'
import { readProcess } from './fromEnvironment.ts'
import { reportReadiness, serveHealth } from './health.ts'
import { startWhenReachable } from './startup.ts'
import type { RunningWorker } from './worker.ts'

/** Milliseconds after a signal until the process exits: long enough for the last export of telemetry. */
const killAfter = 9_800

/** The queue that a worker polls. */
export interface ReadyWorker {
  /** Deployment and build id; undefined for an unversioned worker. */
  readonly build: string | undefined
  readonly taskQueue: string
  readonly namespace: string
  readonly temporalAddress: string | undefined
}

/**
 * Runs a worker in this process until SIGTERM or SIGINT. Resolves when it has stopped.
 * @throws SettingsError with every problem
 */
export async function runWorker(
  onReady: (ready: ReadyWorker, line: string) => void,
  source?: NodeJS.ProcessEnv,
): Promise<void> {
  const { settings } = await loadTogether({
    settings: () => readProcess({}, source),
    telemetry: () => readTelemetry('worker', source),
  })
  const { log } = settings
  // An activity of a team may forget to await. The attempts of all other flows would end with the process (D-423).
  process.on('unhandledRejection', reason => {
    const err = reason instanceof Error ? reason : new Error(inspect(reason))
    log.error({ logId: 'unhandled-rejection', err }, 'promise rejected without a handler')
  })
  // Temporal's runtime exports the metrics of a worker.
  const telemetry = await startTelemetry(
    'worker',
    reason => log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported'),
    { ownMetrics: false, source },
  )
  installRuntime('WARN', { log, metrics: telemetry })
  const { taskQueue, namespace, temporal, healthPort, host } = settings
  const starting = startWhenReachable(settings, log)
  const failed = Promise.withResolvers<never>()
  let worker: RunningWorker | undefined
  let endReports = () => {}
  stopOnSignals(() => {
    // A worker that waits for Temporal has nothing to finish.
    if (worker === undefined) process.exit()
    endReports()
    worker.stop().catch(failed.reject)
  }, killAfter)
  const listeners = { LOCKERFLOW_METRICS: telemetry.prometheus, LOCKERFLOW_WORKER: { host, port: healthPort } }
  const serving = healthPort === undefined ? undefined : serveHealth(starting, healthPort, host)
  const named = serving?.catch(error => {
    throw nameListener(error, listeners)
  })
  // Together: Temporal can refuse the start before the port of the health check listens.
  const [health, started] = await Promise.all([named, starting.started])
  worker = started
  const build = settings.build && toVersionName(settings.build)
  onReady(
    { build, taskQueue, namespace, temporalAddress: temporal.address },
    `worker ready: ${build === undefined ? 'no build' : `build ${build}`}, task queue ${taskQueue}, namespace ${namespace}, Temporal ${temporal.address}`,
  )
  endReports = reportReadiness(worker, log)
  await Promise.race([worker.ended, failed.promise]).finally(() => endReports())
  health?.close()
  await telemetry.stop()
}
