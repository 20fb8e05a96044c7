import { check, type IAsyncProperty, type Parameters, unbiased } from 'fast-check'
import { seeded } from '../../setup/seed.ts'
import type { Tally } from './tally.ts'

/**
 * Holds a property for so many examples, prints the seed with what was done, and returns the seed.
 * @throws Error of the shortest example that fails, with the seed; fast-check's own tells the steps as numbers
 */
export async function hold(
  property: IAsyncProperty<unknown>,
  tally: Tally,
  examples: number,
  options: Omit<Parameters<unknown>, 'seed' | 'numRuns'>,
): Promise<number> {
  const { seed, numRuns } = seeded(examples)
  const { failed, errorInstance } = await check(property, { seed, numRuns, plugins: [unbiased()], ...options })
  if (failed && errorInstance instanceof Error) {
    errorInstance.message = `seed ${seed}, found after ${tally.failedAt ?? tally.steps} steps: ${errorInstance.message}`
    throw errorInstance
  }
  if (failed) throw new Error(`seed ${seed}: ${errorInstance}`)
  console.info(`seed ${seed}, ${tally.steps} steps; successes:\n${tally.report()}`)
  return seed
}
