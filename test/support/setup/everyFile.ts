import './waitFor.ts'
import { afterAll, afterEach } from 'vitest'
import { assertNoTransactionIo } from './transactionWatch.ts'

// Runs before each test file, and its imports once per process.

// Every test of the suite fails when the work of a transaction does I/O besides the store's (D-100).
afterEach(assertNoTransactionIo)
// Work of the last test may end after it.
afterAll(assertNoTransactionIo)
