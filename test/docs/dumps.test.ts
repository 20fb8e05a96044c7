import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '#service'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { booking, topology } from '../support/service/topology.ts'
import { installPgDump, lacksPgDump } from '../support/setup/pgDump.ts'
import { connected, type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'
import { readBlocks } from './blocks.ts'
import { runBlock } from './commands.ts'

const blocks = readBlocks('how-to/run-postgresql.md')
const keyEncryption = createKeyRing({ id: '2026-11', key: randomBytes(32) })
/** The databases of Temporal, each with a table instead of Temporal's own. */
const temporals = ['temporal', 'temporal_visibility']
/** Runs what follows the name of the container, and starts and stops nothing. */
const docker = 'docker() { if [ "$2" = exec ]; then shift 4; "$@"; fi; }'

async function codesOf(service: TestService, shipmentUid: string) {
  const { body } = await service.call('GetShipmentAccessCode', { shipmentUid })
  expect(body).toMatchObject({ success: true })
  return body
}

test.skipIf(lacksPgDump !== undefined)(
  'the dumps of the page move all databases to another server, twice',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder()
    const tools = await installPgDump()
    const [from, to] = await Promise.all([startPostgres(), startPostgres()])
    onTestFinished(async () => void (await Promise.all([from.remove(), to.remove()])))
    const run = (name: string, server: PostgresServer) => {
      const { hostname, port, password } = new URL(server.urlOf('postgres'))
      const address = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password }
      const path = [tools, process.env.PATH].join(delimiter)
      const named = blocks.map(block => ({ ...block, text: `${docker}\n${block.text}` }))
      return runBlock(named, name, { ...address, PATH: path }, folder)
    }
    for (const database of ['lockerflow', ...temporals]) await from.run(`create database ${database}`)
    for (const database of temporals) {
      await connected(from.urlOf(database), client =>
        client.query(`create table noted as select '${database}' as name`),
      )
    }
    const start = (server: PostgresServer) =>
      startTestService({ databaseUrl: server.urlOf('lockerflow'), topology, keyEncryption })

    const first = await start(from)
    const { body } = await first.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
    const uid = String((body.shipmentUids as string[])[0])
    const codes = await codesOf(first, uid)
    await first.stop()
    await run('dump', from)
    for (const database of ['lockerflow', ...temporals])
      expect(statSync(join(folder, `${database}.dump`)).size).toBeGreaterThan(500)

    await run('restore-dumps', to)
    const second = await start(to)
    expect(await codesOf(second, uid)).toEqual(codes)
    await second.call('CancelShipment', { shipmentUid: uid })
    await second.stop()

    // The databases of the server are replaced.
    await run('restore-dumps', to)
    const third = await start(to)
    onTestFinished(() => third.stop())
    const { body: found } = await third.call('GetShipments', { shipmentUid: uid })
    expect(found).toMatchObject({ items: [{ stateCode: 'ReadyForDropOff' }] })
    expect(await codesOf(third, uid)).toEqual(codes)
    for (const database of temporals) {
      const { rows } = await connected(to.urlOf(database), client => client.query('select name from noted'))
      expect(rows).toEqual([{ name: database }])
    }
  },
)
