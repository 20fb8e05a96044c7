import type { TestModule } from 'vitest/node'

/** The result of a test run. */
export type Tally = { passed: number; failed: number; skipped: number }

/** Counts the tests of a run. Errors outside of tests count as failures. */
export function tallyOf(modules: readonly TestModule[], errorsOutside: number): Tally {
  const tally = { passed: 0, failed: errorsOutside, skipped: 0 }
  for (const module of modules) {
    const states = Array.from(module.children.allTests(), test => test.result().state)
    const failed = states.filter(state => state === 'failed').length
    const passed = states.filter(state => state === 'passed').length
    // A file that cannot be collected, or whose hook throws, has failed without a failed test.
    tally.failed += module.state() === 'failed' ? Math.max(failed, 1) : failed
    tally.passed += passed
    tally.skipped += states.length - failed - passed
  }
  return tally
}

/** The counts as one line, which other programs parse. */
export function summaryOf({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
