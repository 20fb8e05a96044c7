// Invariants of the service, which hold after any sequence of requests.
// The model-based tests import this.
import { expectAccounts } from './accounts.ts'
import { expectCodes } from './codes.ts'
import { expectLinks } from './links.ts'
import { expectLockers } from './lockers.ts'
import type { StoreState } from './storeState.ts'

export { delivered, expectCallbacks } from './callbacks.ts'
export { expectPaths } from './paths.ts'
export { isActive, readStoreState, type StoreState } from './storeState.ts'

/** Checks every invariant of the store. */
export function expectInvariants(stored: StoreState): void {
  expectLinks(stored)
  expectLockers(stored)
  expectCodes(stored)
  expectAccounts(stored)
}
