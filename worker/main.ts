import { enableCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Logger } from 'pino'
import type { OnReady } from '#platform/process'
import type { WorkerSettings } from './settings.ts'
import type { RunningWorker } from './worker.ts'

// Shortens later starts. The cache must be enabled before the sources are loaded.
enableCompileCache()
const { createLogThrottle } = await import('#platform/logs')
const { nameListener } = await import('#platform/ports')
const { beginProcess, runMain, stopOnSignals } = await import('#platform/process')
const { installRuntime } = await import('./connection.ts')
const { toVersionName } = await import('./deployment.ts')
const { reportReadiness, serveHealth } = await import('./health.ts')
const { loadSettings } = await import('./settings.ts')
const { isTransient } = await import('./temporalErrors.ts')
const { startWorker } = await import('./worker.ts')

/** Milliseconds after a signal until the process exits: long enough for the last export of telemetry. */
const killAfter = 9_800

/** Milliseconds between two attempts to start. */
const retryInterval = 1_000

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
export async function runWorker(onReady: OnReady<ReadyWorker>, source?: NodeJS.ProcessEnv): Promise<void> {
  // Temporal's runtime exports the metrics of a worker.
  const options = { ownMetrics: false }
  const { settings, telemetry } = await beginProcess('worker', source, () => loadSettings({}, source), options)
  const { log } = settings
  // An activity of a team may forget to await. The attempts of all other flows would end with the process.
  process.on('unhandledRejection', reason => {
    const err = reason instanceof Error ? reason : new Error(inspect(reason))
    log.error({ logId: 'unhandled-rejection', err }, 'promise rejected without a handler')
  })
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

/** A worker that may still wait for Temporal. */
interface StartingWorker extends Pick<RunningWorker, 'notReadyReason'> {
  /** Resolves when the worker polls. Rejects when no later attempt can succeed. */
  readonly started: Promise<RunningWorker>
}

/**
 * Starts a worker as soon as Temporal can be reached. A wrong namespace, wrong credentials and missing search attributes
 * end the start.
 * @param log gets the reason while Temporal is unavailable, once per interval
 */
function startWhenReachable(settings: WorkerSettings, log: Pick<Logger, 'warn'>): StartingWorker {
  const throttled = createLogThrottle()
  let running: RunningWorker | undefined
  let notReady = 'the worker is starting'

  async function start(): Promise<RunningWorker> {
    for (;;) {
      try {
        running = await startWorker(settings)
        return running
      } catch (error) {
        if (!isTransient(error)) throw error
        const reason = error instanceof Error ? error.message : String(error)
        // Everyone reads it, so the address of Temporal is only in the log.
        notReady = 'TEMPORAL_ADDRESS: Temporal does not answer; the log line worker-not-ready says why'
        throttled(reason, () => log.warn({ logId: 'worker-not-ready', reason }, 'worker not ready'))
      }
      await sleep(retryInterval)
    }
  }

  return { started: start(), notReadyReason: async () => (running === undefined ? notReady : running.notReadyReason()) }
}

if (import.meta.main) await runMain('worker', runWorker)
