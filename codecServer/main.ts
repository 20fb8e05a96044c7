import { readEnvironment } from './environment.ts'
import { startCodecServer } from './start.ts'

try {
  const server = await startCodecServer(readEnvironment())
  const stop = () => void server.stop().then(() => process.exit())
  process.once('SIGTERM', stop).once('SIGINT', stop)
  console.log(`codec ready: payloads at ${server.address}/decode`)
} catch (error) {
  console.error(`codec: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
