// What `npm test` runs: the tests once, with all arguments handed to vitest, and their count as the last line.
import { parseCLI, startVitest } from 'vitest/node'
import { summaryOf, type Tally, tallyOf } from './setup/tally.ts'

// A run that never comes to its end has failed, whatever its tests would have said.
let tally: Tally = { passed: 0, failed: 1, skipped: 0 }

// Whatever ends this process, vitest itself included: the count is its last word.
process.once('exit', () => {
  if (tally.failed > 0 || tally.passed === 0) process.exitCode ||= 1
  process.stdout.write(`${summaryOf(tally)}\n`)
})

try {
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  const vitest = await startVitest(filter, { ...options, watch: false })
  tally = tallyOf(vitest.state.getTestModules(), vitest.state.getUnhandledErrors().length)
} catch (error) {
  // Left to Node, the report of it would come after the count.
  console.error(error)
}
process.exit()
