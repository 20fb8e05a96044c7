// `npm test`: one vitest run with all arguments passed on, the slowest files, and the count of tests as the last line.
import { parseCLI, startVitest } from 'vitest/node'
import { slowestFiles } from './support/setup/slowest.ts'
import { summaryOf, type Tally, tallyOf } from './support/setup/tally.ts'

// A run that never comes to its end has failed, whatever its tests would have said.
let tally: Tally = { passed: 0, failed: 1, skipped: 0 }

// The count is the last line even if vitest itself ends the process.
function report(): void {
  if (tally.failed > 0 || tally.passed === 0) process.exitCode ||= 1
  process.stdout.write(`${summaryOf(tally)}\n`)
}
process.once('exit', report)

try {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  // parseCLI has printed the help. startVitest does not know the option, and would run every test.
  if ('help' in options) {
    process.off('exit', report)
    process.exit()
  }
  const vitest = await startVitest(filter, { ...options, watch: false })
  const modules = vitest.state.getTestModules()
  tally = tallyOf(modules, vitest.state.getUnhandledErrors().length)
  process.stdout.write(`${slowestFiles(modules)}\n\n`)
} catch (error) {
  // Left to Node, the report of it would come after the count.
  console.error(error)
}
process.exit()
