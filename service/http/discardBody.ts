import type { FastifyRequest } from 'fastify'
import type { BodyRate } from './bodyRate.ts'

/** Bytes; more are not read. */
const maxBytes = 64 * 1_048_576
/** Milliseconds for the rest of a body. */
const timeout = 10_000

export interface DiscardOptions {
  /** The process ends soon, so there is less time. */
  readonly stopping: boolean
  /** Undefined without a limit. */
  readonly bodyRate: BodyRate | undefined
}

/**
 * Reads and discards the rest of a request, within limits. Many clients read the response only after they have sent the
 * whole request: a connection that closes earlier shows them a broken pipe instead of the response.
 * @returns false if a part of the body is left
 */
export async function discardBody(request: FastifyRequest, { stopping, bodyRate }: DiscardOptions): Promise<boolean> {
  const { raw, headers } = request
  if (raw.complete || raw.destroyed) return true
  if (Number(headers['content-length'] ?? 0) > maxBytes) return false
  const { promise: discarded, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), stopping ? timeout / 10 : timeout)
  let bytes = 0
  raw.on('data', ({ length }: Buffer) => {
    bytes += length
    if (bytes > maxBytes) resolve(false)
    bodyRate?.spend(request, length)
    const ready = bodyRate?.ready(request)
    // Node.js reads up to two megabytes of a connection in one turn of the event loop, and other requests wait meanwhile.
    raw.pause()
    if (ready === undefined) setImmediate(() => raw.resume())
    else void ready.then(() => raw.resume())
  })
  for (const end of ['end', 'close', 'error']) raw.once(end, () => resolve(true))
  raw.resume()
  try {
    return await discarded
  } finally {
    clearTimeout(timer)
  }
}
