import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { LinesError } from '#contract/terms'
import { SettingsError } from '#platform/settings'

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

/** A listener of a process. Its host is absent if it listens on all addresses. */
interface Listener {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** The listeners of a process by the beginning of their settings, such as LOCKERFLOW_SERVICE; undefined for one that it lacks. */
export type Listeners = Readonly<Record<string, Listener | undefined>>

/**
 * Names the setting of a listener that cannot listen. The error of the system has the address only. Other errors stay.
 * @returns SettingsError for an address that no other process has
 */
export function nameListener(error: unknown, listeners: Listeners): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const port = 'port' in error ? Number(error.port) : undefined
  const host = 'hostname' in error ? error.hostname : 'address' in error ? error.address : undefined
  // The error of a free port has none.
  const isFailed = (listener: Listener | undefined) =>
    port ? listener?.port === port : listener?.host !== undefined && listener.host === host
  const named = Object.keys(listeners).filter(name => isFailed(listeners[name]))
  const [name, same] = named
  if (name === undefined) return error
  switch (error.code) {
    case 'EADDRINUSE': {
      const twice = `${same}_PORT: must differ from ${name}_PORT, which is ${port} too.`
      return new Error(same === undefined ? describeUsedPort(`${name}_PORT`, String(host), Number(port)) : twice, {
        cause: error,
      })
    }
    case 'EACCES':
      return wrong(`${name}_PORT`, `must be a port on which the process may listen, but ${port} needs privileges`)
    case 'EADDRNOTAVAIL':
      return wrong(hostSetting(name), `must be an address of this machine, but ${host} is not`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return wrong(hostSetting(name), `must be an address of this machine, but ${host} is not known`)
    default:
      return error
  }
}

/** Metrics have an address of their own, since they need no token. */
function hostSetting(listener: string): string {
  return listener === 'LOCKERFLOW_METRICS' ? 'OTEL_EXPORTER_PROMETHEUS_HOST' : 'LOCKERFLOW_HOST'
}

function wrong(name: string, problem: string): SettingsError {
  return new SettingsError({ name, wrong: problem, example: name.endsWith('_HOST') ? '127.0.0.1' : '8080' })
}

/** The sentence about a port that another process has. */
function describeUsedPort(setting: string, ip: string, port: number): string {
  return `${setting}: port ${port} on ${ip} is in use. Stop the process that listens there, or set ${setting} to another port.`
}
