import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { commonHeaders, failed } from '#contract'
import { requestIdHeader } from './requestLog.ts'
import { jsonType } from './result.ts'

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Sends the usual error envelope for bytes that are not HTTP, and closes the connection. */
export function sendClientError({ code = '' }: NodeJS.ErrnoException, socket: Socket, log: Logger): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const status = statuses[code] ?? 400
  const body = JSON.stringify(failed('InvalidRequest', 'Malformed HTTP request.'))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${jsonType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ ...commonHeaders, [requestIdHeader]: requestId }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  log.info({ requestId, status, errorCode: 'InvalidRequest' }, 'request')
}
