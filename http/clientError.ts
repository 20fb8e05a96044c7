import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { commonHeaders } from '#contract'

export const requestIdHeader = 'x-request-id'

/** Ids of callers that are safe to log. */
export const safeRequestId = /^[\w.:-]{1,100}$/

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** The content type of a listener's errors, and the body of the error for bytes that are not HTTP. */
export interface Malformed {
  readonly type: string
  readonly toBody: (status: number, requestId: string) => object
}

/** The fault of headers that no route accepts. */
export interface HeaderFault {
  /** HTTP status. */
  readonly status: number
  readonly message: string
}

/**
 * Returns the fault of a request with more than one Host, of one of HTTP/1.1 without (RFC 9112 section 3.2), or of one that
 * expects something else than `100-continue` (RFC 9110 section 10.1.1). Node.js answers the last two without a body, unless
 * the server has `requireHostHeader: false` and listens for `checkExpectation`, and keeps the first Host of several.
 */
export function findHeaderFault({ headers, rawHeaders, httpVersion }: IncomingMessage): HeaderFault | undefined {
  const { host, expect } = headers
  if (host === undefined && httpVersion !== '1.0') return { status: 400, message: 'The header Host is missing.' }
  if (countHosts(rawHeaders) > 1) return { status: 400, message: 'The header Host must not be repeated.' }
  if (expect === undefined || /(^|\W)100-continue($|\W)/i.test(expect)) return undefined
  return { status: 417, message: 'The header Expect must be 100-continue or absent.' }
}

/** @param rawHeaders names and values in turns, as Node.js has read them */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** Responds to bytes that are not HTTP in the shape of the listener's errors, and closes the connection. */
export function sendClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  { type, toBody }: Malformed,
  log: Pick<Logger, 'info'>,
): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const status = statuses[code] ?? 400
  const body = JSON.stringify(toBody(status, requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...commonHeaders, [requestIdHeader]: requestId }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  log.info({ requestId, status, errorCode: 'InvalidRequest' }, 'request')
}
