import { pino } from 'pino'
import { readEnvironment } from './environment.ts'
import { startGateway } from './gateway.ts'

// Standard output is for the one line that scripts wait for.
const log = pino({ name: 'gateway' }, pino.destination({ dest: 2, sync: false }))

try {
  const settings = readEnvironment(log)
  const gateway = await startGateway(settings)
  const stop = async () => {
    await gateway.stop()
    // A call to a Temporal that does not answer would hold the process for seconds more.
    process.exit()
  }
  process.once('SIGTERM', () => void stop()).once('SIGINT', () => void stop())
  // Not awaited: a gateway that is stopped before it is ready has to end all the same.
  void gateway.ready.then(() => console.log(`gateway ready: callbacks at ${gateway.address}/callbacks`))
} catch (error) {
  console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
