import { asyncProperty } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import { asks } from './asks/index.ts'
import { type Step, steps, stepsWith } from './asks/step.ts'
import { rules } from './rules/index.ts'
import { checkProperty } from './run/property.ts'
import { startModelSite } from './run/site.ts'
import { Tally } from './run/tally.ts'
import { Walk } from './run/walk.ts'
import { stores, type TestedStore } from './stores.ts'

const longest = 300
/** Runs for operations that have not succeeded, and the steps of each. */
const [extraRuns, extraSteps] = [6, 120]
/** Milliseconds, including the search for a shorter failing sequence. */
const searchTimeout = 90_000

test('the model has every operation', () => {
  expect(Object.keys(rules).sort()).toEqual(Object.keys(operations).sort())
  expect(Object.keys(asks).sort()).toEqual(Object.keys(operations).sort())
})

describe.each(stores)('on the $name store', store => {
  test('the service does what the model does', { timeout: searchTimeout + 180_000 }, async () => {
    const tally = new Tally()
    const property = asyncProperty(steps(longest), planned => walk(store, tally, planned))
    const seed = await checkProperty(property, tally, store.sequences, { interruptAfterTimeLimit: searchTimeout })
    // An operation that is always refused would prove nothing; one that never succeeded by chance gets more runs.
    for (let run = 0; run < extraRuns && tally.neverDone().length > 0; run++) {
      await walk(store, tally, stepsWith(tally.neverDone(), extraSteps, seed + run))
    }
    expect(tally.neverDone()).toEqual([])
  })
})

/** Runs all steps on a new store. */
async function walk(store: TestedStore, tally: Tally, planned: readonly Step[]): Promise<void> {
  const site = await startModelSite(store)
  try {
    const walk = new Walk(site, tally)
    for (const step of planned) await walk.run(step)
    await walk.end()
  } catch (error) {
    tally.failedAt ??= tally.steps
    throw error
  } finally {
    await site.stop()
  }
}
