import { readEnvironment } from './environment.ts'
import { startService } from './start.ts'

/** A process that was told to stop is gone after this many milliseconds, whatever hangs. */
const lastMoment = 9_500

try {
  const service = await startService(readEnvironment())
  console.log(`service ready: ${service.address}, ${service.settings.environment}`)
  const stop = () => {
    setTimeout(() => process.exit(1), lastMoment).unref()
    void service.stop().catch(error => {
      console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    })
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
