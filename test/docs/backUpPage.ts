import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'
import { readBlocks } from './blocks.ts'
import { runSteps } from './commands.ts'

const blocks = readBlocks('how-to/run-postgresql.md')

/** The page is for Linux: its `tar`, `chown` and `sed` are those of GNU. */
export const lacksCommands = process.platform !== 'linux' || spawnSync('psql', ['--version']).status !== 0

/** A block of the page on backups. */
function blockOf(language: string, info = ''): string {
  const block = blocks.find(one => one.language === language && one.info === info)
  if (block === undefined) throw new Error(`the page has no block ${language} ${info}`)
  return block.text
}

/** The settings of the page as `name=value`, with another folder of the backups. */
export function settingsFor(folder: string): string[] {
  return blockOf('ini')
    .trim()
    .split('\n')
    .map(line => line.replace(/ = '?(.*?)'?$/, '=$1').replaceAll('/backup', folder))
}

export async function queryAt(server: PostgresServer, database: string, text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: server.urlOf(database) })
  await client.connect()
  const { rows } = await client.query(text, values).finally(() => client.end())
  return rows
}

async function query(server: PostgresServer, text: string): Promise<Record<string, unknown>> {
  const [row] = await queryAt(server, 'postgres', text)
  return row
}

/** A PostgreSQL whose log is archived as the page says, and the commands of the page for it. */
export interface ArchivedServer {
  readonly server: PostgresServer
  /** The folder of the copies. */
  readonly backups: string
  /** Runs the block `copy`. */
  copy(): Promise<void>
  /** The moment of the server's clock, for `restoreTo`. */
  now(): Promise<string>
  /** Waits until everything that was committed is in the archive. */
  archived(): Promise<void>
  /** Restores the killed server to a moment, and starts it. */
  restoreTo(moment: string): Promise<void>
  /** Restores the killed server to its latest commit, and starts it. */
  restoreLatest(): Promise<void>
}

/** The server is removed at the end of the test. */
export async function startArchivedServer(): Promise<ArchivedServer> {
  const folder = temporaryFolder()
  // The server runs as a user of its own.
  chmodSync(folder, 0o711)
  const server = await startPostgres({ durable: true, settings: settingsFor(folder) })
  onTestFinished(() => server.remove())
  mkdirSync(join(folder, 'wal'))
  const { uid, gid } = statSync(server.folder)
  chownSync(join(folder, 'wal'), uid, gid)
  const { hostname, port, username, password } = new URL(server.urlOf('postgres'))
  const variables = {
    ...{ PGDATA: server.folder, BACKUP: folder },
    ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
  }
  const run = (commands: string, more = {}) =>
    runSteps([{ commands, expected: undefined }], { ...variables, ...more }, folder)

  async function startRestored(): Promise<void> {
    rmSync(`${server.folder}.broken`, { recursive: true })
    await server.start()
    await eventually(async () => (await query(server, 'select pg_is_in_recovery() as yes')).yes === false, 120_000)
  }

  return {
    server,
    backups: folder,
    copy: async () => void (await run(blockOf('sh', 'copy'))),
    now: async () => String((await query(server, 'select now()::text as moment')).moment),
    async archived() {
      const { last } = await query(server, 'select pg_walfile_name(pg_switch_wal()) as last')
      await eventually(async () => {
        const { done } = await query(server, 'select last_archived_wal as done from pg_stat_archiver')
        return String(done) >= String(last)
      }, 120_000)
    },
    async restoreTo(moment) {
      await run(blockOf('sh', 'restore'), { MOMENT: moment })
      await startRestored()
    },
    async restoreLatest() {
      const latest = blockOf('sh', 'restore').replace(/^recovery_target_time.*\n/m, '')
      await run(`${latest}${blockOf('sh', 'unarchived')}`)
      await startRestored()
    },
  }
}
