import type { IncomingMessage } from 'node:http'

/** Bytes; more are not read. */
const maxBytes = 64 * 1_048_576
/** Milliseconds for the rest of a body. */
const timeout = 10_000

/**
 * Reads and discards the rest of a request, within limits. Many clients read the response only after they have sent the
 * whole request: a connection that closes earlier shows them a broken pipe instead of the response.
 * @param stopping the process ends soon, so there is less time
 */
export async function drainRequest(request: IncomingMessage, stopping: boolean): Promise<void> {
  if (request.complete || request.destroyed || Number(request.headers['content-length'] ?? 0) > maxBytes) return
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopping ? timeout / 10 : timeout)
  let bytes = 0
  request.on('data', ({ length }: Buffer) => {
    bytes += length
    if (bytes > maxBytes) resolve()
  })
  for (const end of ['end', 'close', 'error']) request.once(end, () => resolve())
  request.resume()
  await drained
  clearTimeout(timer)
}
