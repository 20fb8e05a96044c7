import { check, type IAsyncProperty, type Parameters, unbiased } from 'fast-check'
import { seeded } from '../../support/seed.ts'
import type { Tally } from './tally.ts'

/**
 * Checks a property with this number of examples, prints the seed and the tally, and returns the seed.
 * @throws Error of the shortest failing example, with the seed; fast-check's own message has the steps as numbers only
 */
export async function checkProperty(
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
