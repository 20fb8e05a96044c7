import { asyncProperty } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import { asks } from './asks/index.ts'
import { type Step, steps, stepsWith } from './asks/step.ts'
import { rules } from './rules/index.ts'
import { hold } from './run/hold.ts'
import { startModelSite } from './run/site.ts'
import { Walk } from './run/take.ts'
import { Tally } from './run/tally.ts'
import { stores, type TestedStore } from './stores.ts'

const longest = 300
/** Milliseconds, with the search for a shorter example of a failure. */
const patience = 90_000

test('the model has every operation', () => {
  expect(Object.keys(rules).sort()).toEqual(Object.keys(operations).sort())
  expect(Object.keys(asks).sort()).toEqual(Object.keys(operations).sort())
})

describe.each(stores)('on the $name store', store => {
  test('the service does what the model does', { timeout: patience + 30_000 }, async () => {
    const tally = new Tally()
    const property = asyncProperty(steps(longest), todo => walk(store, tally, todo))
    const seed = await hold(property, tally, store.sequences, { interruptAfterTimeLimit: patience })
    // An operation that is always refused would prove nothing; one that only had bad luck has another chance.
    const missing = tally.neverDone()
    if (missing.length > 0) await walk(store, tally, stepsWith(missing, longest, seed))
    expect(tally.neverDone()).toEqual([])
  })
})

/** Takes all steps on a store of their own. */
async function walk(store: TestedStore, tally: Tally, todo: readonly Step[]): Promise<void> {
  const site = await startModelSite(store)
  try {
    const walk = new Walk(site, tally)
    for (const step of todo) await walk.take(step)
    await walk.end()
  } catch (error) {
    tally.failedAt ??= tally.steps
    throw error
  } finally {
    await site.stop()
  }
}
