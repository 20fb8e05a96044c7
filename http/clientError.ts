import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { commonHeaders } from '#contract'
import { requestIdHeader } from './request.ts'

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** The content type of a listener's errors, and the body of the error for bytes that are not HTTP. */
export interface Malformed {
  readonly type: string
  readonly toBody: (status: number, requestId: string) => object
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
