import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const noContent = 'HTTP/1.1 204 No Content\r\n\r\n'

/**
 * A receiver of callbacks that reads nothing but their length, because it shares the processors with the service that
 * is measured.
 */
export interface BareReceiver {
  readonly url: string
  stop(): void
}

export async function openBareReceiver(): Promise<BareReceiver> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, socket => {
    let received = ''
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.on('data', bytes => {
      received += bytes.toString('latin1')
      for (let end = endOf(received); end <= received.length; end = endOf(received)) {
        received = received.slice(end)
        socket.write(noContent, 'latin1')
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const bodyLength = /\r\ncontent-length: (\d+)\r\n/i

/** The length of the first request, in bytes; infinite before the end of its headers. */
function endOf(received: string): number {
  const headers = received.indexOf('\r\n\r\n')
  if (headers < 0) return Number.POSITIVE_INFINITY
  return headers + 4 + Number(bodyLength.exec(received)?.[1] ?? 0)
}
