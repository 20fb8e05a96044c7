import { afterAll, afterEach } from 'vitest'
import { assertNoTransactionIo } from './transactionWatch.ts'

// Every test of the suite fails when the work of a transaction does I/O besides the store's (D-100). Vitest evaluates this
// file again for each test file of a process, and the watch only once.
afterEach(assertNoTransactionIo)
// Work of the last test may end after it.
afterAll(assertNoTransactionIo)
