import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { accessScope, tokenPath, tokenResponse } from '#contract'
import { credentials, topology } from './places.ts'

export interface RunningService {
  readonly origin: string
  /** From the start of the process to its line that says that it is ready, in milliseconds. */
  readonly startTime: number
  /** Of an API client, with an access token. */
  readonly headers: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts the service as its users do, in a process of its own, on a store. */
export async function startService(
  databaseUrl: string,
  environment: Record<string, string> = {},
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
      LOCKERFLOW_TOPOLOGY: topologyFile,
      ...environment,
    },
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const startTime = performance.now() - started
  const origin = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? ''
  return {
    origin,
    startTime,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenFrom(origin)}` },
    async stop() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function tokenFrom(origin: string): Promise<string> {
  const form = { client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const body = new URLSearchParams({ ...form, grant_type: 'client_credentials', scope: accessScope })
  const response = await fetch(origin + tokenPath, { method: 'POST', body })
  return tokenResponse.parse(await response.json()).access_token
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
