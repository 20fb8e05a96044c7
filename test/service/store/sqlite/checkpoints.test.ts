import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../../service/store/index.ts'
import { createCheckpoints } from '../../../../service/store/sqlite/checkpoints/checkpoints.ts'
import { toPath } from '../../../../service/store/sqlite/open.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { endProcess } from '../../../support/endProcess.ts'
import { eventually } from '../../../support/eventually.ts'
import { seeded } from '../../../support/seed.ts'
import { writePages } from '../../../support/service/pages.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'

/** Bytes. */
const page = 4_096

test('the thread copies pages while the log is shorter than one that SQLite would copy', async () => {
  const { store, size } = await open()
  await sql`pragma wal_checkpoint(truncate)`.execute(store)
  const before = size()
  await writePages(store, 0, 510)
  await eventually(() => size() > before + 100 * page)
  expect(size('-wal')).toBeLessThan(1_000 * page)
})

test('a few rows need no thread', async () => {
  const { store, size } = await open()
  const before = size()
  await writePages(store, 0, 50)
  expect(size()).toBe(before)
})

test('the log of a store that writes all the time is bounded', async () => {
  const { store, size } = await open()
  for (let first = 0; first < 20_000; first += 100) await writePages(store, first, 100)
  expect(size('-wal')).toBeLessThan(12_000 * page)
})

test.each([
  ['with a thread that copies', 5_000],
  ['with a thread that has just been started', 500],
  ['without a thread', 10],
])('a store that closes %s leaves one file with all rows', async (_name, rows) => {
  const { store, path } = await open()
  await writePages(store, 0, rows)
  await store.destroy()
  expect(['-wal', '-shm'].filter(end => existsSync(path + end))).toEqual([])
  expect(content(path)).toEqual({ rows, integrity: 'ok' })
})

test.each([1, 20])('the thread ends although there are %i commits until it has ended', async commits => {
  const database = new DatabaseSync(toPath(temporaryFile()))
  onTestFinished(() => database.close())
  const checkpoints = createCheckpoints(toPath(temporaryFile()), database)
  checkpoints.noteCommit(500)
  await eventually(() => database.prepare('pragma wal_autocheckpoint').get()?.wal_autocheckpoint === 4_000)
  const ended = checkpoints.end()
  for (let at = 0; at < commits; at++) checkpoints.noteCommit(500)
  await ended
})

test('a process that is killed beside its thread loses no commit', { timeout: 600_000 }, async () => {
  const { seed } = seeded(1)
  for (let round = 0; round < 3; round++) {
    const path = toPath(temporaryFile())
    const child = startWriter(path)
    const least = 100 * (10 + ((seed >>> (round * 7)) % 100))
    let committed = 0
    for await (const line of createInterface(child.stdout as NonNullable<ChildProcess['stdout']>)) {
      committed = Number(line)
      if (committed >= least) child.kill('SIGKILL')
    }
    const { rows, integrity } = content(path)
    expect({ seed, committed }).toEqual({ seed, committed: expect.toSatisfy(count => least <= count && count <= rows) })
    expect({ seed, integrity }).toEqual({ seed, integrity: 'ok' })
  }
})

test('SQLite makes the checkpoints of a process that may not start threads', async () => {
  const path = toPath(temporaryFile())
  const child = startWriter(path, ['--permission', '--allow-fs-read=*', '--allow-fs-write=*'])
  await eventually(() => existsSync(path) && statSync(path).size > 2_000 * page)
  await endProcess(child, 'SIGKILL')
  expect(content(path).integrity).toBe('ok')
})

async function open() {
  const url = temporaryFile()
  const path = toPath(url)
  const store = await openStore(url)
  onTestFinished(() => store.destroy())
  return { store, path, size: (end = '') => statSync(path + end).size }
}

function content(path: string) {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select count(*) as n from pick_up_points').get()?.n
  const integrity = database.prepare('pragma integrity_check').get()?.integrity_check
  database.close()
  return { rows: Number(rows), integrity }
}

/** A process that writes pages until it is killed, and prints how many it has committed. */
function startWriter(path: string, flags: readonly string[] = []): ChildProcess {
  const main = fileURLToPath(new URL('../../../support/service/pages.ts', import.meta.url))
  const child = spawn(process.execPath, [...flags, main, `file:${path}`], {
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => endProcess(child, 'SIGKILL'))
  return child
}
