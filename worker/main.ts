import { toExitCode } from '#contract/settings'
import { runWorker } from './process.ts'

try {
  await runWorker((_ready, line) => console.log(line))
} catch (error) {
  console.error(`worker: ${error instanceof Error ? error.message : String(error)}`)
  // A pending response would keep the process alive for minutes.
  process.exit(toExitCode(error))
}
