import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freePort, isFree } from '../ports.ts'
import { findTemporalCommand } from './command.ts'
import { waitUntilReady } from './readiness.ts'
import { type ServerPorts, type ServerShape, serverArguments } from './serverArguments.ts'
import { startProcess } from './serverProcess.ts'
import type { Progress } from './source.ts'

/** How a dev server of one's own is started. */
export type TemporalServerOptions = ServerShape & {
  logFile: string
  progress: Progress
  /** Chosen by the system unless given. */
  port?: number
  /** Chosen by the system unless given. */
  uiPort?: number
  /** Without the Web UI. */
  headless?: boolean
  /** Looked for unless given. */
  command?: string
  cacheFolder?: string
  readyTimeoutMs?: number
}

/** A dev server that answers. */
export type TemporalServer = {
  address: string
  /** Undefined without a Web UI. */
  uiUrl: string | undefined
  pid: number
  /** Aborted when the server has ended, also when nobody asked it to. */
  ended: AbortSignal
  stop(): Promise<void>
}

const attempts = 4

/** Starts a Temporal dev server with a database file of its own and waits until it answers. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const command = options.command ?? (await findTemporalCommand(options.progress, { cacheFolder: options.cacheFolder }))
  await mkdir(dirname(options.databaseFile), { recursive: true })
  await mkdir(dirname(options.logFile), { recursive: true })
  for (let attempt = 1; ; attempt += 1) {
    const result = await start(command, options, await choosePorts(options))
    if ('server' in result) return result.server
    // Between choosing a port and listening on it somebody else may have taken it.
    if (attempt === attempts || !/address already in use/i.test(result.failure)) throw new Error(result.failure)
  }
}

async function start(
  command: string,
  options: TemporalServerOptions,
  ports: ServerPorts,
): Promise<{ server: TemporalServer } | { failure: string }> {
  const child = await startProcess(command, serverArguments(options, ports), options.logFile)
  const host = hostOf(options.ip)
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
    return { failure: `The Temporal server ended at its start. The end of ${options.logFile}:\n${child.logTail()}` }
  } catch (error) {
    await stop()
    const reason = error instanceof Error ? error.message : String(error)
    return { failure: `The Temporal server is ${reason}. The end of ${options.logFile}:\n${child.logTail()}` }
  }
}

async function choosePorts({ ip, port, uiPort, headless = false }: TemporalServerOptions): Promise<ServerPorts> {
  return {
    port: await choose(ip, port, 'Temporal'),
    uiPort: headless ? undefined : await choose(ip, uiPort, "Temporal's Web UI"),
  }
}

async function choose(ip: string, wanted: number | undefined, user: string): Promise<number> {
  if (wanted === undefined) return freePort(ip)
  if (await isFree(ip, wanted)) return wanted
  throw new Error(`Port ${wanted} on ${ip}, wanted for ${user}, is taken: end what listens there, or choose another.`)
}

// What listens everywhere is reached on loopback.
function hostOf(ip: string): string {
  if (ip === '0.0.0.0') return '127.0.0.1'
  if (ip === '::') return '[::1]'
  return ip.includes(':') ? `[${ip}]` : ip
}
