import { readEnvironment } from './environment.ts'
import { startSimulator } from './simulator.ts'

try {
  const simulator = await startSimulator(readEnvironment())
  console.log(`hardware ready: ${simulator.address}, simulated`)
  const stop = () => void simulator.stop()
  process.once('SIGTERM', stop).once('SIGINT', stop)
} catch (error) {
  console.error(`hardware: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
