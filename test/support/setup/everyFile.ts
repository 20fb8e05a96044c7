import './waitFor.ts'
import { afterAll, afterEach } from 'vitest'
import { processorSeconds } from './processorTime.ts'
import { assertNoTransactionIo } from './transactionWatch.ts'

// Runs before each test file, and its imports once per process.

const before = processorSeconds()
// Registered first, so it runs last.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds() - before
})

// Every test of the suite fails when the work of a transaction does I/O besides the store's.
afterEach(assertNoTransactionIo)
// Work of the last test may end after it.
afterAll(assertNoTransactionIo)
