import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readArchiveLateness } from '../../../../service/metrics/archive.ts'
import { createObserver } from '../../../../service/metrics/index.ts'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { startMeter } from '../../../support/metrics/meter.ts'
import { temporaryFolder } from '../../../support/service/temporaryStore.ts'
import { connected, startPostgres } from '../../../support/setup/postgresServer.ts'

/** A server whose archive works while its folder exists, and hangs while a file is there. */
async function startArchive() {
  const folder = temporaryFolder()
  chmodSync(folder, 0o711)
  const wal = join(folder, 'wal')
  const hangs = join(folder, 'hangs')
  const command = `while test -e ${hangs}; do sleep 0.1; done; cp %p ${wal}/%f`
  const server = await startPostgres({ settings: ['archive_mode=on', `archive_command=${command}`] })
  onTestFinished(() => server.remove())
  const { uid, gid } = statSync(server.folder)
  mkdirSync(wal)
  chownSync(wal, uid, gid)
  // A service does not connect as superuser.
  await server.run("create role owner login password 'secret'", 'create database lockerflow owner owner')
  const url = new URL(server.urlOf('lockerflow'))
  url.username = 'owner'
  url.password = 'secret'
  const store = await openStore(url.href)
  onTestFinished(() => store.destroy())
  return {
    store,
    server,
    break: () => renameSync(wal, `${wal}.away`),
    mend: () => renameSync(`${wal}.away`, wal),
    hang: () => writeFileSync(hangs, ''),
    resume: () => rmSync(hangs),
    /** Finishes a segment, which a service does by its commits. */
    finishSegment: () =>
      server.run('create table if not exists filled ()', 'drop table filled', 'select pg_switch_wal()'),
    archived: () =>
      connected(server.urlOf('lockerflow'), async client => {
        const { rows } = await client.query('select archived_count::int as count from pg_stat_archiver')
        return rows[0].count as number
      }),
  }
}

/** Waits until the lateness is 0, or is not. */
function untilLate(store: Store, isLate: boolean): Promise<unknown> {
  return eventually(async () => {
    const lateness = await readArchiveLateness(store)
    return lateness !== undefined && lateness > 0 === isLate
  }, 90_000)
}

test('an archive that fails, or hangs, is late until it has taken the log', async () => {
  const archive = await startArchive()
  const { store } = archive
  await archive.finishSegment()
  await eventually(async () => (await archive.archived()) > 0, 90_000)
  await untilLate(store, false)

  archive.break()
  await archive.finishSegment()
  await untilLate(store, true)
  const first = (await readArchiveLateness(store)) ?? 0
  await eventually(async () => ((await readArchiveLateness(store)) ?? 0) > first + 1)
  archive.mend()
  await untilLate(store, false)

  // The statistics of a command that hangs show no failure.
  archive.hang()
  await archive.finishSegment()
  await untilLate(store, true)
  archive.resume()
  await untilLate(store, false)
})

test('the gauge is that of an archive, and does not exist without one', async () => {
  const archive = await startArchive()
  await archive.finishSegment()
  await eventually(async () => (await archive.archived()) > 0, 90_000)
  const plain = await startPostgres()
  onTestFinished(() => plain.remove())
  const other = await openStore(plain.urlOf('postgres'))
  onTestFinished(() => other.destroy())
  const name = 'lockerflow_archive_late_seconds'
  for (const [store, expected] of [
    [archive.store, [{ value: 0, attributes: {} }]],
    [other, undefined],
  ] as const) {
    const { meter, read, stop } = startMeter()
    onTestFinished(stop)
    const observer = createObserver({ warn: (error: unknown) => expect.unreachable(JSON.stringify(error)) }, meter)
    onTestFinished(observer.measure(store))
    await eventually(async () => (await read('lockerflow_store_up'))?.[0]?.value === 1)
    expect(await read(name)).toEqual(expected)
  }
})
