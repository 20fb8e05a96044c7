import { readEnvironment } from './environment.ts'
import { answerHealth } from './health.ts'
import { quietRuntime, startWorker } from './worker.ts'

try {
  const settings = readEnvironment()
  quietRuntime()
  const worker = await startWorker(settings)
  const health = settings.healthPort === undefined ? undefined : await answerHealth(worker, settings.healthPort)
  console.log(
    `worker ready: task queue ${settings.taskQueue}, namespace ${settings.namespace}, Temporal ${settings.temporal.address}`,
  )
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
