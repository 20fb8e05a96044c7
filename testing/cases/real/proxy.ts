import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A proxy on a free port of loopback. */
export interface RunningProxy {
  readonly address: string
  stop(): Promise<void>
}

/** Answers a request, or throws to cut its connection. */
export type Carry = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) => Promise<void>

const host = '127.0.0.1'

/** Starts a proxy that reads each request before it carries it. */
export async function startProxy(carry: Carry): Promise<RunningProxy> {
  const server = createServer((incoming, outgoing) => {
    buffer(incoming)
      .then(body => carry(incoming, body, outgoing))
      .catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${host}:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Sends a request on, with its headers and bytes unchanged. @param target the address of the server behind the proxy */
export function forward(incoming: IncomingMessage, body: Buffer, target: string): Promise<IncomingMessage> {
  const { method, headers, url = '/' } = incoming
  return new Promise((resolve, reject) => {
    request(new URL(url, target), { method, headers, agent: false }, resolve).on('error', reject).end(body)
  })
}
