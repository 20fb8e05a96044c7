import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request that reached the stand-in. */
export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The treatment of one request; `earlier` counts previous requests of the same path. */
export type Reply = (response: ServerResponse, seen: Seen, earlier: number) => unknown

/** A stand-in for the service whose responses and faults the test decides. */
export interface StandIn {
  readonly url: string
  readonly seen: readonly Seen[]
  /** All connections so far. */
  readonly connections: readonly Socket[]
  token: Reply
  operation: Reply
  /** The requests whose path has this ending. */
  at(ending: string): Seen[]
  stop(): Promise<void>
}

export const tokenBody = (text = 'token-1', life = 600) => ({
  access_token: text,
  token_type: 'bearer',
  expires_in: life,
})
export const success = { success: true, error: null, message: null }

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

export function raw(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return response => response.writeHead(status, headers).end(text)
}

/** The connection is reset once the whole request has been read. */
export const reset: Reply = response => response.socket?.resetAndDestroy()

/** The connection is closed once the whole request has been read. */
export const close: Reply = response => response.socket?.end()

/** The connection ends in the middle of the response. */
export const halfAnswer: Reply = response => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"success":', () => response.socket?.destroy())
}

/** No response is ever sent. */
export const noResponse: Reply = () => {}

/** A reply that waits: `arrived` resolves with the request, `release` sends the inner reply. */
export function held(inner: Reply): { reply: Reply; arrived: Promise<void>; release: () => void } {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  return {
    reply: async (response, seen, earlier) => {
      arrived.resolve()
      await released.promise
      inner(response, seen, earlier)
    },
    arrived: arrived.promise,
    release: released.resolve,
  }
}

export async function startStandIn(port = 0): Promise<StandIn> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const path = request.url ?? ''
    const earlier = seen.filter(one => one.path === path).length
    const now = { path, headers: request.headers, text }
    seen.push(now)
    await (path.endsWith('/connect/token') ? side.token : side.operation)(response, now, earlier)
  })
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => void connections.push(socket))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const side: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections,
    token: json(200, tokenBody()),
    operation: json(200, success),
    at: ending => seen.filter(({ path }) => path.endsWith(ending)),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return side
}
