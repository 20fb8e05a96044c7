// `npm test [files] [options of vitest]` runs the quick suite, and with a filter every test of the files. `test/main.ts all`
// runs everything. Prints the dearest files, and the count of tests as the last line.
import { parseCLI, startVitest } from 'vitest/node'
import { processorReport } from './support/setup/processorTime.ts'
import { summaryOf, type Tally, tallyOf } from './support/setup/tally.ts'

const args = process.argv.slice(2)
const isAll = args[0] === 'all'
if (isAll) process.env.LOCKERFLOW_TEST_ALL = 'true'

// A run that never comes to its end has failed, whatever its tests would have said.
let tally: Tally = { passed: 0, failed: 1, skipped: 0 }

// The count is the last line even if vitest itself ends the process.
function report(): void {
  if (tally.failed > 0 || tally.passed === 0) process.exitCode ||= 1
  process.stdout.write(`${summaryOf(tally)}\n`)
}
process.once('exit', report)

try {
  const { filter, options } = parseCLI(['vitest', 'run', ...(isAll ? args.slice(1) : args)])
  // parseCLI has printed the help. startVitest does not know the option, and would run every test.
  if ('help' in options) {
    process.off('exit', report)
    process.exit()
  }
  options.project ??= isAll || filter.length > 0 ? ['!quick*'] : ['quick*']
  const vitest = await startVitest(filter, { ...options, watch: false })
  const modules = vitest.state.getTestModules()
  tally = tallyOf(modules, vitest.state.getUnhandledErrors().length)
  // The time of a process counts when it has ended.
  await vitest.close()
  process.stdout.write(`${processorReport(modules)}\n\n`)
} catch (error) {
  // Left to Node, the report of it would come after the count.
  console.error(error)
}
process.exit()
