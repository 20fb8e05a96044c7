import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A wire between a service and its database. */
export interface Wire {
  /** The URL at which the service reaches its database through the wire. */
  readonly databaseUrl: string
  /** Drops all bytes and closes no connection, like a machine that lost its power. */
  hush(): void
  /** Lets later bytes through. The dropped ones are lost. */
  mend(): void
}

/** Puts a wire before the database at a URL. */
export async function startWire(databaseUrl: string): Promise<Wire> {
  const url = new URL(databaseUrl)
  const far = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let hushed = false
  const server = createServer(near => {
    const ends = [near, createConnection(far)] as const
    for (const [at, end] of ends.entries()) {
      const other = ends[1 - at] as Socket
      sockets.add(end)
      let lost = hushed
      end.on('data', bytes => {
        lost ||= hushed
        if (!lost) other.write(bytes)
      })
      end.on('close', () => lost || hushed || other.destroy())
      end.on('error', () => undefined)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  url.port = String((server.address() as AddressInfo).port)
  return {
    databaseUrl: url.href,
    hush() {
      hushed = true
    },
    mend() {
      hushed = false
    },
  }
}
