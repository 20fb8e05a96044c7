import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { accessScope, tokenPath, tokenResponse } from '#contract'
import { readUse } from '../processors.ts'
import { credentials, topology } from './places.ts'

export interface RunningService {
  readonly origin: string
  /** Milliseconds from the start of the process to its ready line. */
  readonly startTime: number
  /** Processor seconds since the start; undefined if the system has no /proc. */
  seconds(): number | undefined
  stop(): Promise<void>
}

/** The twenty thousand lockers of the benchmarks, or the default topology of the service. */
export type Places = 'many' | 'demonstration'

/** Starts the service as its users do: as a separate process with settings in the environment. */
export async function startService(
  databaseUrl: string,
  places: Places = 'many',
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-bench-'))
  const topologyFile = join(folder, 'topology.json')
  writeFileSync(topologyFile, JSON.stringify(topology))
  const started = performance.now()
  const child = spawn(process.execPath, ['service/main.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      LOCKERFLOW_DATABASE_URL: databaseUrl,
      LOCKERFLOW_SERVICE_PORT: '0',
      LOCKERFLOW_SERVICE_HOST: '127.0.0.1',
      ...(places === 'many' && { LOCKERFLOW_TOPOLOGY: topologyFile }),
      ...variables,
    },
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const startTime = performance.now() - started
  const origin = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
  return {
    origin,
    startTime,
    seconds: () => readUse(String(child.pid))?.seconds,
    async stop() {
      await terminate(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The headers of a request, with an access token for the API client of the benchmarks. */
export async function headersFor({ origin }: RunningService): Promise<Readonly<Record<string, string>>> {
  const form = { client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const body = new URLSearchParams({ ...form, grant_type: 'client_credentials', scope: accessScope })
  const response = await fetch(origin + tokenPath, { method: 'POST', body })
  const { access_token: token } = tokenResponse.parse(await response.json())
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` }
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
