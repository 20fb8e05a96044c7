import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { commonHeaders } from '#contract'
import { requestIdHeader } from './request.ts'

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** A listener's limits, and the form of its errors, for requests that never become one of the application. */
export interface ClientErrors {
  /** The content type of its errors. */
  readonly type: string
  readonly toBody: (message: string, status: number, requestId: string) => object
  /** Bytes of the path, its query and the headers. */
  readonly maxHeaderSize: number
  /** Milliseconds within which a request must arrive completely. */
  readonly arrivalTimeout: number
}

/** The fields of the log line of such an error. */
export interface ClientErrorLine {
  readonly requestId: string
  /** HTTP status. */
  readonly status: number
  readonly errorCode: 'InvalidRequest'
}

function describe(status: number, { maxHeaderSize, arrivalTimeout }: ClientErrors): string {
  if (status === 408) return `The request must arrive completely within ${arrivalTimeout / 1_000} seconds.`
  if (status === 431) return `The path, its query and the headers must have at most ${maxHeaderSize} bytes together.`
  return 'The request must be valid HTTP.'
}

/** The caller closed its side in the middle of a request: it broke off. */
const endedEarly = 'HPE_INVALID_EOF_STATE'

/** The statuses of the errors that were sent over connections, which the listener then closed. */
const sent = new WeakMap<Socket, number>()

/** Returns the status with which `sendClientError` has closed a connection; undefined if the caller closed it. */
export function clientErrorStatus(socket: Socket): number | undefined {
  return sent.get(socket)
}

/** Responds to a request that is late or not HTTP in the form of the listener's errors, and closes the connection. */
export function sendClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  errors: ClientErrors,
  log: (line: ClientErrorLine) => void,
): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const status = statuses[code] ?? 400
  if (code !== endedEarly) sent.set(socket, status)
  const body = JSON.stringify(errors.toBody(describe(status, errors), status, requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${errors.type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...commonHeaders, [requestIdHeader]: requestId }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  log({ requestId, status, errorCode: 'InvalidRequest' })
}
