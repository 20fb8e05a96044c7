import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '#service'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { booking, topology } from '../support/service/topology.ts'
import { type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'
import { readBlocks } from './blocks.ts'
import { runSteps } from './commands.ts'

const blocks = readBlocks('how-to/back-up.md')
// The page is for Linux: its `tar`, `chown` and `sed` are those of GNU.
const lacksCommands = process.platform !== 'linux' || spawnSync('psql', ['--version']).status !== 0
const keyEncryption = createKeyRing({ id: '2026-11', key: randomBytes(32) })

function blockOf(language: string, info = ''): string {
  const block = blocks.find(one => one.language === language && one.info === info)
  if (block === undefined) throw new Error(`the page has no block ${language} ${info}`)
  return block.text
}

/** Milliseconds; longer than any statement takes on a loaded machine. */
const statementTimeout = 60_000

/** The settings of the page as `name=value`, with another folder of the backups. */
function settingsFor(folder: string): string[] {
  return blockOf('ini')
    .trim()
    .split('\n')
    .map(line => line.replace(/ = '?(.*?)'?$/, '=$1').replaceAll('/backup', folder))
}

async function query(server: PostgresServer, text: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows[0]
}

/** Waits until everything that was committed is in the archive. */
async function archive(server: PostgresServer): Promise<void> {
  const { last } = await query(server, 'select pg_walfile_name(pg_switch_wal()) as last')
  await eventually(async () => {
    const { done } = await query(server, 'select last_archived_wal as done from pg_stat_archiver')
    return String(done) >= String(last)
  }, 120_000)
}

async function startRestored(server: PostgresServer): Promise<void> {
  await server.start()
  await eventually(async () => (await query(server, 'select pg_is_in_recovery() as yes')).yes === false, 120_000)
}

/** The databases of Temporal, each with a table instead of Temporal's own. */
const temporals = ['temporal', 'temporal_visibility']

async function queryAt(server: PostgresServer, database: string, text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: server.urlOf(database) })
  await client.connect()
  const { rows } = await client.query(text, values).finally(() => client.end())
  return rows
}

/** Notes a shipment in the databases of Temporal, as the flow that has booked it does. */
async function note(server: PostgresServer, shipmentUid: string): Promise<void> {
  for (const database of temporals) await queryAt(server, database, 'insert into noted values ($1)', [shipmentUid])
}

/** The shipments that each database of Temporal has, in the order of their notes. */
async function notedIn(server: PostgresServer): Promise<string[][]> {
  const read = (database: string) => queryAt(server, database, 'select uid from noted order by seq')
  return (await Promise.all(temporals.map(read))).map(rows => rows.map(({ uid }) => uid))
}

async function book(service: TestService): Promise<string> {
  const { body } = await service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
  expect(body).toMatchObject({ success: true })
  return String((body.shipmentUids as string[])[0])
}

async function codesOf(service: TestService, shipmentUid: string) {
  const { body } = await service.call('GetShipmentAccessCode', { shipmentUid })
  expect(body).toMatchObject({ success: true })
  return body
}

/** The codes of shipments, one after the other: a slow machine opens no sixteen connections at once in time. */
async function allCodesOf(service: TestService, shipmentUids: readonly string[]) {
  const codes: unknown[] = []
  for (const shipmentUid of shipmentUids) codes.push(await codesOf(service, shipmentUid))
  return codes
}

test.skipIf(lacksCommands)(
  'the drill of the page: a copy under load, a restore to a moment, and one to the latest commit',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder()
    // The server runs as a user of its own.
    chmodSync(folder, 0o711)
    const server = await startPostgres({ durable: true, settings: settingsFor(folder) })
    onTestFinished(() => server.remove())
    mkdirSync(join(folder, 'wal'))
    const { uid, gid } = statSync(server.folder)
    chownSync(join(folder, 'wal'), uid, gid)
    await server.run('create database lockerflow')
    for (const database of temporals) {
      await server.run(`create database ${database}`)
      await queryAt(server, database, 'create table noted (uid text not null, seq bigserial)')
    }
    const address = new URL(server.urlOf('postgres'))
    const variables = {
      PGDATA: server.folder,
      BACKUP: folder,
      PGHOST: address.hostname,
      PGPORT: address.port,
      PGUSER: address.username,
      PGPASSWORD: address.password,
    }
    const run = (commands: string, more = {}) =>
      runSteps([{ commands, expected: undefined }], { ...variables, ...more }, folder)
    const start = () =>
      startTestService({ databaseUrl: server.urlOf('lockerflow'), topology, keyEncryption, statementTimeout })

    const first = await start()
    const uids = [await book(first)]
    let isCopied = false
    const load = (async () => {
      while (!isCopied && uids.length < 15) {
        uids.push(await book(first))
        await note(server, uids.at(-1) ?? '')
      }
    })()
    await run(blockOf('sh', 'copy')).finally(() => {
      isCopied = true
    })
    await load
    uids.push(await book(first))
    const codes = await allCodesOf(first, uids)
    const noted = await notedIn(server)
    const { moment } = await query(server, 'select now()::text as moment')
    const mistake = uids.at(-1) ?? ''
    await first.call('CancelShipment', { shipmentUid: mistake })
    await note(server, mistake)
    await archive(server)
    await first.stop()
    await server.kill()

    await run(blockOf('sh', 'restore'), { MOMENT: String(moment) })
    rmSync(`${server.folder}.broken`, { recursive: true })
    await startRestored(server)
    const second = await start()
    expect(await allCodesOf(second, uids)).toEqual(codes)
    const { body } = await second.call('GetShipments', { shipmentUid: mistake })
    expect(body).toMatchObject({ items: [{ stateCode: 'ReadyForDropOff' }] })
    // All databases are as they were at the moment.
    expect(noted).toEqual([uids.slice(1, -1), uids.slice(1, -1)])
    expect(await notedIn(server)).toEqual(noted)

    // The disk of the archive has not received the last segment.
    await run(blockOf('sh', 'copy'))
    const last = await book(second)
    const lastCodes = await codesOf(second, last)
    await note(server, last)
    await second.stop()
    await server.kill()
    const latest = blockOf('sh', 'restore').replace(/^recovery_target_time.*\n/m, '')
    await run(`${latest}${blockOf('sh', 'unarchived')}`)
    await startRestored(server)
    const third = await start()
    onTestFinished(() => third.stop())
    expect(await codesOf(third, last)).toEqual(lastCodes)
    expect(await notedIn(server)).toEqual(noted.map(uids => [...uids, last]))
    await book(third)
  },
)

test('docker-compose.yml has the settings of the page', () => {
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  for (const setting of settingsFor('/backup'))
    expect(compose).toContain(`-c${setting.replace('=on', `=\${POSTGRES_ARCHIVE:-off}`)}\n`)
})
