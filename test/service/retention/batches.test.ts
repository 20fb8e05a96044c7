import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createRunBatch } from '../../../service/retention/purge.ts'
import { inTransaction, openStore, type Store, tryAdvisoryLock } from '../../../service/store/index.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** The embedded store has one writer, and no locks. */
const onPostgres = inject('postgres') !== undefined

async function start(): Promise<Store> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  return world.service.store
}

/** Runs a batch of another process until the test ends it. */
async function startOther(store: Store): Promise<() => Promise<void>> {
  const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const batch = inTransaction(store, async tx => {
    expect(await tryAdvisoryLock(tx, 'retention')).toBe(true)
    began.resolve()
    await ended.promise
  })
  await began.promise
  return () => {
    ended.resolve()
    return batch
  }
}

test.runIf(onPostgres)('a batch waits for that of another process', async () => {
  const store = await start()
  const end = await startOther(store)
  // A pause of the machine must not use up its two seconds.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const batch = createRunBatch(store, new AbortController().signal)(async () => 'done')
  await delay(200)
  await end()
  expect(await batch).toBe('done')
})

test.runIf(onPostgres)('a batch does not wait for the disk, and transactions of requests do', async () => {
  const databaseUrl = await temporaryStore()
  const setting = (db: Store) =>
    sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(db).then(({ rows }) => rows)
  const alterDatabase = (db: Store, change: string) =>
    sql`do ${sql.lit(`begin execute format('alter database %I ${change}', current_database()); end`)}`.execute(db)
  const first = await openStore(databaseUrl)
  // The server of the tests has it off for all.
  await alterDatabase(first, 'set synchronous_commit = on')
  await first.destroy()
  const store = await openStore(databaseUrl)
  onTestFinished(async () => {
    await alterDatabase(store, 'reset synchronous_commit')
    await store.destroy()
  })
  const runBatch = createRunBatch(store, new AbortController().signal)
  expect(await runBatch(setting)).toEqual([{ synchronous_commit: 'off' }])
  expect(await inTransaction(store, setting)).toEqual([{ synchronous_commit: 'on' }])
})

test.runIf(onPostgres)('a batch that waits for another process ends when its own stops', async () => {
  const store = await start()
  const end = await startOther(store)
  const stopping = new AbortController()
  let ran = false
  const batch = createRunBatch(
    store,
    stopping.signal,
  )(async () => {
    ran = true
  })
  await delay(100)
  const slowness = measureSlowness()
  const stoppedAt = performance.now()
  stopping.abort()
  await batch
  expect((performance.now() - stoppedAt) / slowness()).toBeLessThan(1_000)
  await end()
  expect(ran).toBe(false)
})

test('a batch gives up when another process purges for long', async () => {
  const store = await start()
  const end = onPostgres ? await startOther(store) : async () => undefined
  const ran = await createRunBatch(store, new AbortController().signal)(async () => true)
  expect(ran).toBe(onPostgres ? undefined : true)
  await end()
})
