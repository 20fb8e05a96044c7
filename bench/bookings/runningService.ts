import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessScope, operations, tokenPath, tokenResponse } from '#contract'
import type { Topology } from '../../service/topology/index.ts'
import { type ProcessPart, startProcess } from '../../testing/stack/process.ts'
import { readUse } from '../processors.ts'
import { credentials, topology } from './places.ts'

export interface RunningService extends ProcessPart {
  /** Milliseconds from the start of the process to its ready line. */
  readonly startTime: number
  /** Processor seconds since the start; undefined if the system has no /proc. */
  seconds(): number | undefined
}

/** The twenty thousand lockers of the benchmarks, the default topology of the service, or a given one. */
export type Places = 'many' | 'demonstration' | Topology

/** An API client of the topology. */
export type Credentials = typeof credentials

/** How a service differs from the usual one of the benchmarks. */
export interface ServiceOptions {
  /** Settings in its environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** Each booking has a transaction of its own. */
  readonly withoutBatches?: boolean
  /** The folder of the sources of an earlier commit. */
  readonly clone?: string
}

/** Starts the service as its users do: as a separate process with settings in the environment. */
export async function startService(
  databaseUrl: string,
  places: Places = 'many',
  { variables = {}, withoutBatches = false, clone }: ServiceOptions = {},
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-bench-'))
  const topologyFile = join(folder, 'topology.json')
  writeFileSync(topologyFile, JSON.stringify(typeof places === 'string' ? topology : places))
  const started = performance.now()
  const env = {
    PATH: process.env.PATH,
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_HOST: '127.0.0.1',
    ...(places !== 'demonstration' && { LOCKERFLOW_TOPOLOGY: topologyFile }),
    ...variables,
  }
  const program = ['bench/bookings/service.ts', ...(withoutBatches ? ['--no-batches'] : [])]
  // An earlier commit may lack the file.
  const part = await startProcess('service', clone === undefined ? { program, env } : { clone, env })
  const startTime = performance.now() - started
  return {
    ...part,
    startTime,
    seconds: () => readUse(String(part.pid))?.seconds,
    async stop() {
      await part.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The headers of a request, with an access token for an API client. */
export async function headersFor(
  { address }: Pick<RunningService, 'address'>,
  { clientId, clientSecret }: Credentials = credentials,
): Promise<Readonly<Record<string, string>>> {
  const form = { client_id: clientId, client_secret: clientSecret }
  const body = new URLSearchParams({ ...form, grant_type: 'client_credentials', scope: accessScope })
  const response = await fetch(address + tokenPath, { method: 'POST', body })
  const { access_token: token } = tokenResponse.parse(await response.json())
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` }
}

/** Calls an operation and returns its response. */
export async function call(
  service: Pick<RunningService, 'address'>,
  name: 'ConfigureCallback' | 'CreateAccount',
  body: object,
  client: Credentials = credentials,
): Promise<Record<string, unknown>> {
  const headers = await headersFor(service, client)
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(service.address + operations[name].path, request)
  const text = await response.text()
  if (response.status !== 200 || text.includes('"success":false')) throw new Error(`${name}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Record<string, unknown>
}
