import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setInterval } from 'node:timers/promises'

/** Hosts of files that send a byte a second, and of a receiver that does not respond. */
export interface SlowHosts {
  readonly urls: readonly string[]
  /** Until `answer`, which ends every request with 204. */
  hang(): void
  answer(): void
  /** Resolves when this many files are being sent. */
  untilOpen(count: number): Promise<void>
  stop(): void
}

/** Milliseconds between two bytes. */
const pause = 1_000

/** Each listens on a loopback address of its own. */
export async function startSlowHosts(count: number): Promise<SlowHosts> {
  let hangs = false
  const open = new Set<ServerResponse>()

  async function serve({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!hangs) return void response.writeHead(204).end()
    open.add(response.on('close', () => open.delete(response)))
    if (url === '/notifications') return
    for await (const _ of setInterval(pause, undefined, { ref: false })) {
      if (!open.has(response)) return
      response.write('a')
    }
  }

  const servers = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const server = createServer(serve).listen(0, `127.0.0.${at + 1}`)
      await once(server, 'listening')
      return server
    }),
  )
  return {
    urls: servers.map(server => {
      const { address, port } = server.address() as AddressInfo
      return `http://${address}:${port}`
    }),
    hang() {
      hangs = true
    },
    answer() {
      hangs = false
      for (const response of open) response.destroy()
    },
    async untilOpen(count) {
      for await (const _ of setInterval(50)) if (open.size >= count) return
    },
    stop() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
