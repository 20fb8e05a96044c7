import { toExitCode } from '#contract/settings'
import { runCodecServer } from './process.ts'

try {
  await runCodecServer((_ready, line) => console.log(line))
} catch (error) {
  console.error(`codec: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = toExitCode(error)
}
