import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * A port that nobody listens on. It stays in TIME_WAIT for a while, so that the system does not hand it to somebody
 * else before the caller's child listens on it; a listener with SO_REUSEADDR may take it at once.
 */
export async function freePort(ip: string): Promise<number> {
  const server = createServer()
  server.listen(0, ip)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, ip)
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  // The side that closes first is the one left in TIME_WAIT: that has to be the server's.
  client.resume()
  accepted.end()
  accepted.resume()
  await once(client, 'close')
  server.close()
  await once(server, 'close')
  return port
}

/** Whether one could listen on this port now. */
export async function isFree(ip: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, ip)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
