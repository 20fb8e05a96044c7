import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LinesError } from '#contract/terms'
import { bypassProxyOnLoopback } from '#platform/environment'
import { freePort, isFree } from '#platform/ports'
import { findTemporalCommand } from './command.ts'
import { waitUntilReady } from './readiness.ts'
import { type ServerPorts, type ServerShape, serverArguments } from './serverArguments.ts'
import { startProcess } from './serverProcess.ts'
import type { Progress } from './source.ts'

export type TemporalServerOptions = ServerShape & {
  logFile: string
  progress: Progress
  /** A free port if absent or 0. */
  port?: number
  /** A free port if absent or 0. */
  uiPort?: number
  /** True starts no Web UI. */
  headless?: boolean
  /** `findTemporalCommand` finds it if absent. */
  command?: string
  cacheFolder?: string
  readyTimeoutMs?: number
}

/** A dev server that is ready. */
export type TemporalServer = {
  address: string
  /** Undefined if headless. */
  uiUrl: string | undefined
  pid: number
  /** Aborts when the server has ended for any reason. */
  ended: AbortSignal
  stop(): Promise<void>
}

const maxStarts = 4

/**
 * Starts a Temporal dev server with its own database file and waits until it is ready.
 * @throws Error with the end of the log if the server ends or is not ready in time
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  bypassProxyOnLoopback()
  const command = options.command ?? (await findTemporalCommand(options.progress, { cacheFolder: options.cacheFolder }))
  await mkdir(dirname(options.databaseFile), { recursive: true })
  await mkdir(dirname(options.logFile), { recursive: true })
  for (let count = 1; ; count += 1) {
    const result = await start(command, options, await choosePorts(options))
    if ('server' in result) return result.server
    // Another process may have bound the free port before the server did.
    if (count === maxStarts || !/address already in use/i.test(result.failure.join()))
      throw new LinesError(result.failure)
  }
}

async function start(
  command: string,
  options: TemporalServerOptions,
  ports: ServerPorts,
): Promise<{ server: TemporalServer } | { failure: readonly string[] }> {
  const child = await startProcess(command, serverArguments(options, ports), options.logFile)
  const host = toReachableHost(options.ip)
  const address = `${host}:${ports.port}`
  const uiUrl = ports.uiPort === undefined ? undefined : `http://${host}:${ports.uiPort}`
  const { ended, pid, stop } = child
  try {
    await waitUntilReady({
      address,
      namespace: options.namespace,
      searchAttributeNames: Object.values(options.searchAttributes ?? {}).map(attribute => attribute.name),
      timeoutMs: options.readyTimeoutMs ?? 60_000,
      ended,
    })
    if (!ended.aborted) return { server: { address, uiUrl, pid, ended, stop } }
    return {
      failure: [`The Temporal server ended while it started. The end of ${options.logFile}:`, ...child.logTail()],
    }
  } catch (error) {
    await stop()
    const reason = error instanceof Error ? error.message : String(error)
    return { failure: [`The Temporal server is ${reason}. The end of ${options.logFile}:`, ...child.logTail()] }
  }
}

async function choosePorts({ ip, port, uiPort, headless = false }: TemporalServerOptions): Promise<ServerPorts> {
  return {
    port: await choosePort(ip, port, 'Temporal'),
    uiPort: headless ? undefined : await choosePort(ip, uiPort, "Temporal's Web UI"),
  }
}

async function choosePort(ip: string, port: number | undefined, user: string): Promise<number> {
  if (!port) return freePort(ip)
  if (await isFree(ip, port)) return port
  throw new Error(
    `Port ${port} on ${ip} for ${user} is in use. Stop the process that listens there, or choose another port.`,
  )
}

/** A server that listens on all addresses is reachable on loopback. */
function toReachableHost(ip: string): string {
  if (ip === '0.0.0.0') return '127.0.0.1'
  if (ip === '::') return '[::1]'
  return ip.includes(':') ? `[${ip}]` : ip
}
