import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { refusalBody } from './failures.ts'
import { requestIdHeader } from './requestId.ts'

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Answers what is not even HTTP, in the same shape as everything else, and hangs up. */
export function answerClientError({ code = '' }: NodeJS.ErrnoException, socket: Socket, log: Logger): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const status = statuses[code] ?? 400
  const body = JSON.stringify(refusalBody({ code: 'InvalidRequest', message: 'The request is not one of HTTP.' }))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${requestIdHeader}: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  log.info({ requestId, status, error: 'InvalidRequest' }, 'request')
}
