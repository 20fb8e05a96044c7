import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RoundRobin {
  /** `127.0.0.1:port` */
  readonly address: string
  close(): void
}

/** One address for several replicas, like a service name in compose. Connections go to the live replicas in turn. */
export async function roundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let turn = 0
  const open = new Set<Socket>()

  function forward(from: Socket, left: number): void {
    const port = ports[turn++ % ports.length] ?? 0
    const to = connect(port, '127.0.0.1')
    open.add(to).add(from)
    to.once('connect', () => {
      from.pipe(to).pipe(from)
      from.once('close', () => to.destroy())
      to.once('close', () => from.destroy())
    })
    to.on('error', () => ((to.connecting || to.pending) && left > 1 ? forward(from, left - 1) : from.destroy()))
    to.once('close', () => open.delete(to))
  }

  const server = createServer(from => {
    from.on('error', () => undefined)
    from.once('close', () => open.delete(from))
    forward(from, ports.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
