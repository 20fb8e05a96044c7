import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { accessScope, operations, tokenPath, tokenResponse } from '#contract'
import type { Topology } from '../../service/topology/index.ts'
import { endProcess } from '../../test/support/endProcess.ts'
import { readUse } from '../processors.ts'
import { credentials, topology } from './places.ts'

export interface RunningService {
  readonly origin: string
  readonly pid: number
  /** Milliseconds from the start of the process to its ready line. */
  readonly startTime: number
  /** Processor seconds since the start; undefined if the system has no /proc. */
  seconds(): number | undefined
  stop(): Promise<void>
}

/** The twenty thousand lockers of the benchmarks, the default topology of the service, or a given one. */
export type Places = 'many' | 'demonstration' | Topology

/** An API client of the topology. */
export type Credentials = typeof credentials

/**
 * Starts the service as its users do: as a separate process with settings in the environment. `clone` is the folder of
 * its sources.
 */
export async function startService(
  databaseUrl: string,
  places: Places = 'many',
  variables: Readonly<Record<string, string>> = {},
  clone = '.',
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-bench-'))
  const topologyFile = join(folder, 'topology.json')
  writeFileSync(topologyFile, JSON.stringify(typeof places === 'string' ? topology : places))
  const started = performance.now()
  const child = spawn(process.execPath, ['service/main.ts'], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      LOCKERFLOW_DATABASE_URL: databaseUrl,
      LOCKERFLOW_SERVICE_PORT: '0',
      LOCKERFLOW_SERVICE_HOST: '127.0.0.1',
      // For integrators. Production keeps none.
      LOCKERFLOW_RECENT_TRAFFIC: '0',
      ...(places !== 'demonstration' && { LOCKERFLOW_TOPOLOGY: topologyFile }),
      ...variables,
    },
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the service ended with ${code} before it was ready`)
  })
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([once(lines, 'line'), ended])
  // The log is discarded: to split it into lines would take time of the processors that both sides share.
  lines.close()
  child.stdout.resume()
  ended.catch(() => undefined)
  const startTime = performance.now() - started
  const origin = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
  return {
    origin,
    pid: child.pid ?? 0,
    startTime,
    seconds: () => readUse(String(child.pid))?.seconds,
    async stop() {
      await endProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The headers of a request, with an access token for an API client. */
export async function headersFor(
  { origin }: Pick<RunningService, 'origin'>,
  { clientId, clientSecret }: Credentials = credentials,
): Promise<Readonly<Record<string, string>>> {
  const form = { client_id: clientId, client_secret: clientSecret }
  const body = new URLSearchParams({ ...form, grant_type: 'client_credentials', scope: accessScope })
  const response = await fetch(origin + tokenPath, { method: 'POST', body })
  const { access_token: token } = tokenResponse.parse(await response.json())
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` }
}

/** Calls an operation and returns its response. */
export async function call(
  service: Pick<RunningService, 'origin'>,
  name: 'ConfigureCallback' | 'CreateAccount',
  body: object,
  client: Credentials = credentials,
): Promise<Record<string, unknown>> {
  const headers = await headersFor(service, client)
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(service.origin + operations[name].path, request)
  const text = await response.text()
  if (response.status !== 200 || text.includes('"success":false')) throw new Error(`${name}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Record<string, unknown>
}
