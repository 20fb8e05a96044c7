import { nameOf } from './deployment.ts'
import { readEnvironment } from './environment.ts'
import { answerHealth } from './health.ts'
import { installRuntime } from './runtime.ts'
import { startWorker } from './worker.ts'

try {
  const settings = readEnvironment()
  installRuntime('WARN', settings.metricsPort)
  const worker = await startWorker(settings)
  const health = settings.healthPort === undefined ? undefined : await answerHealth(worker, settings.healthPort)
  const { build, taskQueue, namespace, temporal } = settings
  const which = build === undefined ? 'no build' : `build ${nameOf(build)}`
  console.log(`worker ready: ${which}, task queue ${taskQueue}, namespace ${namespace}, Temporal ${temporal.address}`)
  const why = await worker.hindrance()
  if (why !== undefined) console.log(`worker waits: ${why}`)
  // Whether it stopped cleanly is told by `ended`.
  const stop = () => void worker.stop().catch(() => undefined)
  process.once('SIGTERM', stop).once('SIGINT', stop)
  await worker.ended
  health?.close()
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  // An answer that was cut off would keep the process for minutes.
  process.exit(1)
}
