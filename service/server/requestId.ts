import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const requestIdHeader = 'x-request-id'

/** The caller's request id when it is one that logs can carry, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}
