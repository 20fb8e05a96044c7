import { randomFillSync } from 'node:crypto'
import type { IdGenerator } from '@opentelemetry/sdk-trace'
import type { SpanIds } from './tracing.ts'

/** Generates random ids, and given ones for a span that is started meanwhile. */
export interface GivenIds extends IdGenerator {
  /** The ids of a span that begins a trace. */
  generateBoth(): SpanIds
  with<Result>(ids: SpanIds, start: () => Result): Result
}

const traceDigits = 32
const spanDigits = 16

export function createIdGenerator(): GivenIds {
  let given: SpanIds | undefined
  return {
    generateTraceId: () => given?.traceId ?? randomDigits(traceDigits),
    generateSpanId: () => given?.spanId ?? randomDigits(spanDigits),
    generateBoth() {
      const digits = randomDigits(traceDigits + spanDigits)
      return { traceId: digits.slice(0, traceDigits), spanId: digits.slice(traceDigits) }
    },
    // Starting a span is synchronous.
    with(ids, start) {
      given = ids
      try {
        return start()
      } finally {
        given = undefined
      }
    },
  }
}

/** Random bytes are drawn for a few hundred ids at a time: a call for each id would take longer than a span that is left out. */
const pool = { bytes: Buffer.alloc(4_096), digits: '', used: 0 }

/** An id of zeros would be invalid, but is drawn once in 2^64 spans. */
function randomDigits(length: number): string {
  if (pool.used + length > pool.digits.length) {
    pool.digits = randomFillSync(pool.bytes).toString('hex')
    pool.used = 0
  }
  pool.used += length
  return pool.digits.slice(pool.used - length, pool.used)
}
