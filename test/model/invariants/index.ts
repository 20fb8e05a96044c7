// What is true of the service at any time, whatever was asked.
// The model-based tests import this.
import { expectAccounts } from './accounts.ts'
import { expectCodes } from './codes.ts'
import type { Facts } from './facts.ts'
import { expectLinks } from './links.ts'
import { expectLockers } from './lockers.ts'

export { delivered, expectCallbacks } from './callbacks.ts'
export { type Facts, isActive, readFacts } from './facts.ts'
export { expectPaths } from './paths.ts'

/** Holds what the store has against what is always true. */
export function expectSound(facts: Facts): void {
  expectLinks(facts)
  expectLockers(facts)
  expectCodes(facts)
  expectAccounts(facts)
}
