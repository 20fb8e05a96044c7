import { installRuntime } from './connection.ts'
import { toVersionName } from './deployment.ts'
import { readEnvironment } from './environment.ts'
import { serveHealth } from './health.ts'
import { startWorker } from './worker.ts'

try {
  const settings = readEnvironment()
  installRuntime('WARN', settings.metricsPort)
  const worker = await startWorker(settings)
  const health = settings.healthPort === undefined ? undefined : await serveHealth(worker, settings.healthPort)
  const { build, taskQueue, namespace, temporal } = settings
  const version = build === undefined ? 'no build' : `build ${toVersionName(build)}`
  console.log(`worker ready: ${version}, task queue ${taskQueue}, namespace ${namespace}, Temporal ${temporal.address}`)
  const reason = await worker.notReadyReason()
  if (reason !== undefined) console.log(`worker not ready: ${reason}`)
  // `ended` reports a stop that was not clean.
  const stop = () => void worker.stop().catch(() => undefined)
  process.once('SIGTERM', stop).once('SIGINT', stop)
  await worker.ended
  health?.close()
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  // A pending response would keep the process alive for minutes.
  process.exit(1)
}
