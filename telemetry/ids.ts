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

const bytes = Buffer.alloc((traceDigits + spanDigits) / 2)

/** Ids are no secrets, so they need no cryptographic random numbers. */
function randomDigits(length: number): string {
  // An id of zeros is invalid, so no part of four bytes is zero.
  for (let at = 0; at < length / 2; at += 4) bytes.writeUInt32BE(1 + Math.floor(Math.random() * 0xffff_ffff), at)
  return bytes.toString('hex', 0, length / 2)
}
