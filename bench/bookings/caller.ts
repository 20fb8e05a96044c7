import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends one request after the other. */
export interface Caller {
  /** Sends a request with `content-length` and returns the response, headers included. */
  send(request: string): Promise<string>
  close(): void
}

/**
 * Opens a connection for HTTP/1.1. It shares the processors with the service that is measured, and an HTTP client took a
 * fifth of their time. Responses must be ASCII, with a `content-length`.
 */
export async function openCaller(origin: string): Promise<Caller> {
  const { hostname, port } = new URL(origin)
  let received = ''
  let waiting: PromiseWithResolvers<string> | undefined
  const buffer = Buffer.alloc(64 * 1_024)
  function read(length: number): boolean {
    received += buffer.toString('latin1', 0, length)
    const end = endOf(received)
    if (end === undefined || received.length < end) return true
    const response = received
    received = ''
    waiting?.resolve(response)
    return true
  }
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer, callback: read },
  })
  socket.on('close', () => waiting?.reject(new Error('The service has closed the connection.')))
  socket.on('error', error => waiting?.reject(error))
  await once(socket, 'connect')
  return {
    send(request) {
      waiting = Promise.withResolvers()
      socket.write(request, 'latin1')
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}

const bodyLength = /\r\ncontent-length: (\d+)\r\n/i

/** The length of the first response; undefined before the end of its headers. */
function endOf(received: string): number | undefined {
  const headers = received.indexOf('\r\n\r\n')
  if (headers < 0) return undefined
  return headers + 4 + Number(bodyLength.exec(received)?.[1] ?? 0)
}
