import { readEnvironment } from './environment.ts'
import { quietRuntime, startWorker } from './worker.ts'

try {
  const settings = readEnvironment()
  quietRuntime()
  const worker = await startWorker(settings)
  console.log(
    `worker ready: task queue ${settings.taskQueue}, namespace ${settings.namespace}, Temporal ${settings.temporal.address}`,
  )
  const stop = () => void worker.stop()
  process.once('SIGTERM', stop).once('SIGINT', stop)
  await worker.ended
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
