import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '#service'
import { root } from '../project/sources.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { booking, topology } from '../support/service/topology.ts'
import type { PostgresServer } from '../support/setup/postgresServer.ts'
import { lacksCommands, queryAt, settingsFor, startArchivedServer } from './backUpPage.ts'

const keyEncryption = createKeyRing({ id: '2026-11', key: randomBytes(32) })

/** Milliseconds; longer than any statement takes on a loaded machine. */
const statementTimeout = 60_000

/** The databases of Temporal, each with a table instead of Temporal's own. */
const temporals = ['temporal', 'temporal_visibility']

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
    const archive = await startArchivedServer()
    const { server } = archive
    await server.run('create database lockerflow')
    for (const database of temporals) {
      await server.run(`create database ${database}`)
      await queryAt(server, database, 'create table noted (uid text not null, seq bigserial)')
    }
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
    await archive.copy().finally(() => {
      isCopied = true
    })
    const [copied = ''] = readdirSync(archive.backups).filter(name => name.startsWith('20'))
    expect(statSync(join(archive.backups, copied, 'base.tar')).mode & 0o077, 'rights of other users').toBe(0)
    await load
    uids.push(await book(first))
    const codes = await allCodesOf(first, uids)
    const noted = await notedIn(server)
    const moment = await archive.now()
    const mistake = uids.at(-1) ?? ''
    await first.call('CancelShipment', { shipmentUid: mistake })
    await note(server, mistake)
    await archive.archived()
    await first.stop()
    await server.kill()

    await archive.restoreTo(moment)
    const second = await start()
    expect(await allCodesOf(second, uids)).toEqual(codes)
    const { body } = await second.call('GetShipments', { shipmentUid: mistake })
    expect(body).toMatchObject({ items: [{ stateCode: 'ReadyForDropOff' }] })
    // All databases are as they were at the moment.
    expect(noted).toEqual([uids.slice(1, -1), uids.slice(1, -1)])
    expect(await notedIn(server)).toEqual(noted)

    // The disk of the archive has not received the last segment.
    await archive.copy()
    const last = await book(second)
    const lastCodes = await codesOf(second, last)
    await note(server, last)
    await second.stop()
    await server.kill()
    await archive.restoreLatest()
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
