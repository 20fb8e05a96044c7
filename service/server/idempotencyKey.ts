import type { IncomingHttpHeaders } from 'node:http'
import { fingerprint, type OperationName, operations, type ReadRequestOf } from '#contract'
import { Refusal } from '../operations/call.ts'
import { type Idempotency, stillRunning } from './idempotency.ts'
import type { Outcome } from './outcome.ts'

/** Longest key in characters. */
const longestKey = 255

/**
 * What the header Idempotency-Key of a request says; undefined without one, and where an operation creates nothing.
 * @throws Refusal InvalidRequest when the key is empty or too long
 */
export function idempotencyOf<Name extends OperationName>(
  operation: Name,
  clientId: string,
  headers: IncomingHttpHeaders,
  request: ReadRequestOf<Name>,
): Idempotency | undefined {
  const key = headers['idempotency-key']
  if (operations[operation].effect !== 'create' || typeof key !== 'string') return undefined
  if (key.length < 1 || key.length > longestKey) {
    throw new Refusal('InvalidRequest', `Idempotency-Key has to be 1 to ${longestKey} characters long.`)
  }
  return { clientId, key, fingerprint: fingerprint({ operation, request }) }
}

/** Does `work` unless work with the same client and key is being done in this process. */
export type OneAtATime = (idempotency: Idempotency | undefined, work: () => Promise<Outcome>) => Promise<Outcome>

/** Two requests with one key at once would both find no answer yet. */
export function createOneAtATime(): OneAtATime {
  const running = new Set<string>()
  return async (idempotency, work) => {
    if (idempotency === undefined) return work()
    const slot = JSON.stringify([idempotency.clientId, idempotency.key])
    if (running.has(slot)) throw stillRunning()
    running.add(slot)
    try {
      return await work()
    } finally {
      running.delete(slot)
    }
  }
}
