import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { commonHeaders } from '#contract'
import { requestIdHeader } from './request.ts'

const late = 'ERR_HTTP_REQUEST_TIMEOUT'
const statuses: Readonly<Record<string, number>> = { [late]: 408, HPE_HEADER_OVERFLOW: 431 }

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

type LogClientError = (line: ClientErrorLine) => void

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

/** Connections whose request may arrive later than the listener's limit. */
const patient = new WeakSet<Socket>()

/** Exempts a request from the listener's limit of arrival until it is answered. Its route must limit the arrival itself. */
export function exemptFromArrivalLimit({ socket }: IncomingMessage, response: ServerResponse): void {
  patient.add(socket)
  response.once('close', () => patient.delete(socket))
}

/** Responds to a request that is late or not HTTP in the form of the listener's errors, and closes the connection. */
export function sendClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  errors: ClientErrors,
  log: LogClientError,
): void {
  if (code === late && patient.has(socket)) return
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statuses[code] ?? 400
  if (code !== endedEarly) sent.set(socket, status)
  socket.end(toResponse(status, describe(status, errors), errors, log))
}

/** Responds to the method CONNECT. Without a listener for it, Node.js closes the connection without a response. */
export function rejectConnect(server: Server, errors: ClientErrors, log: LogClientError): void {
  server.on('connect', (_request, socket: Duplex) => {
    // Node.js has given up the socket: its errors would end the process, and no timeout or stop of the server would close it.
    socket.on('error', () => socket.destroy()).resume()
    const response = toResponse(501, 'The method must not be CONNECT: this is not a proxy.', errors, log)
    socket.end(response, () => socket.destroy())
  })
}

/** Returns the response that closes a connection, and logs its line. */
function toResponse(status: number, message: string, errors: ClientErrors, log: LogClientError): string {
  const requestId = randomUUID()
  const body = JSON.stringify(errors.toBody(message, status, requestId))
  log({ requestId, status, errorCode: 'InvalidRequest' })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${errors.type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...commonHeaders, [requestIdHeader]: requestId }).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
