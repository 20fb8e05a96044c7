import { startTelemetry } from '#telemetry'
import { installRuntime } from './connection.ts'
import { toVersionName } from './deployment.ts'
import { readProcess } from './fromEnvironment.ts'
import { serveHealth } from './health.ts'
import { startWhenReachable } from './startup.ts'
import type { RunningWorker } from './worker.ts'

try {
  const settings = await readProcess()
  const { log } = settings
  // Temporal's runtime exports the metrics of a worker.
  const telemetry = await startTelemetry(
    'worker',
    reason => log.warn({ logId: 'telemetry-not-exported', reason }, 'telemetry not exported'),
    { ownMetrics: false },
  )
  installRuntime('WARN', { log, metrics: telemetry })
  const { build, taskQueue, namespace, temporal, healthPort, host } = settings
  const starting = startWhenReachable(settings, log)
  let worker: RunningWorker | undefined
  const stop = () => {
    // A worker that waits for Temporal has nothing to finish.
    if (worker === undefined) process.exit()
    worker.stop().catch(fail)
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  const health = healthPort === undefined ? undefined : await serveHealth(starting, healthPort, host)
  worker = await starting.started
  const version = build === undefined ? 'no build' : `build ${toVersionName(build)}`
  console.log(`worker ready: ${version}, task queue ${taskQueue}, namespace ${namespace}, Temporal ${temporal.address}`)
  const reason = await worker.notReadyReason()
  if (reason !== undefined) log.warn({ logId: 'worker-not-ready', reason }, 'worker not ready')
  await worker.ended
  health?.close()
  await telemetry.stop()
} catch (error) {
  fail(error)
}

function fail(error: unknown): never {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  // A pending response would keep the process alive for minutes.
  process.exit(1)
}
