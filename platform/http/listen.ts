import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The names of loopback over IPv4. */
const loopback: readonly string[] = ['127.0.0.1', 'localhost']

/**
 * Listens. Programs take `localhost` for an address of either family, so a listener on loopback answers at `::1` too, unless the
 * machine has no IPv6 or another program has the port there.
 * @param port 0: a free one
 * @returns the port
 * @throws Error when the port is in use or the host is not of this machine
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  if (!loopback.includes(host)) {
    await app.listen({ host, port })
    return portOf(app)
  }
  // With the options of node:http. The HTTP server serves these connections as its own, with its limits.
  const ipv6 = createServer({ allowHalfOpen: true, noDelay: true }, socket => app.server.emit('connection', socket))
  let closed: Promise<void> | undefined
  app.addHook('preClose', async () => {
    closed = new Promise(resolve => ipv6.close(() => resolve()))
  })
  // By then the HTTP server has closed the idle connections, these too.
  app.addHook('onClose', () => closed)
  await app.listen({ host: '127.0.0.1', port })
  ipv6.maxConnections = app.server.maxConnections
  ipv6.listen({ host: '::1', port: portOf(app) })
  await once(ipv6, 'listening').catch(() => undefined)
  return portOf(app)
}

function portOf({ server }: FastifyInstance): number {
  return (server.address() as AddressInfo).port
}
