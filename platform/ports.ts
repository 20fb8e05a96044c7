import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { LinesError } from '#contract/terms'
import { describeUsedPort } from '#platform/settings'

/**
 * Returns a free port. It stays in TIME_WAIT for a while, so the system does not give it to another process before the
 * caller's child listens on it. A listener with SO_REUSEADDR can bind it immediately.
 */
export async function freePort(ip: string): Promise<number> {
  const server = createServer()
  server.listen(0, ip)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, ip)
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  // The side that closes first stays in TIME_WAIT. That must be the server's side.
  client.resume()
  accepted.end()
  accepted.resume()
  await once(client, 'close')
  server.close()
  await once(server, 'close')
  return port
}

/** Returns true if a server could listen on this port now. */
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

/** A port and the setting that names it. */
export interface SetPort {
  readonly setting: string
  /** 0 stands for a free port. */
  readonly port: number
}

/** @throws Error with a line for each port that is in use or set twice */
export async function requireFreePorts(ip: string, ports: readonly SetPort[]): Promise<void> {
  const fixed = ports.filter(({ port }) => port !== 0)
  const problems = await Promise.all(
    fixed.map(async ({ setting, port }) => {
      const same = fixed.find(other => other.port === port)
      if (same !== undefined && same.setting !== setting) {
        return `${setting}: must differ from ${same.setting}, which is ${port} too.`
      }
      if (await isFree(ip, port)) return undefined
      return describeUsedPort(setting, ip, port)
    }),
  )
  const found = problems.filter(problem => problem !== undefined)
  if (found.length > 0) throw new LinesError(found)
}
