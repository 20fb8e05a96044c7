import { toExitCode } from '#contract/settings'
import { runGateway } from './process.ts'

try {
  await runGateway((_ready, line) => console.log(line))
} catch (error) {
  console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = toExitCode(error)
}
