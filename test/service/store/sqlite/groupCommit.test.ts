import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGroupCommit } from '../../../../service/store/groupCommit.ts'
import {
  inSharedCommit,
  inTransaction,
  openStore,
  type Store,
  type StoreTransaction,
  withSavepoint,
} from '../../../../service/store/index.ts'
import {
  EmbeddedConnection,
  immediateTransaction,
  prepareStatements,
} from '../../../../service/store/sqlite/database.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'

const no = new Error('no')

test('concurrent transactions run in order and are committed together', async () => {
  const store = await open()
  stopClock()
  const uids = Array.from({ length: 20 }, (_, at) => `p-${String(at).padStart(2, '0')}`)
  await emptyLog(store)
  for (const uid of uids) await inTransaction(store, tx => add(tx, `alone-${uid}`))
  const apart = await loggedPages(store)
  await emptyLog(store)
  expect(await Promise.all(uids.map(uid => inTransaction(store, tx => add(tx, uid))))).toEqual(uids)
  // Each commit writes the pages that it changed once more.
  expect(await loggedPages(store)).toBeLessThan(apart / 5)
  expect(await there(store)).toEqual([...uids.map(uid => `alone-${uid}`), ...uids])
})

test('within one group commit only the failing transaction is rolled back, and only its caller gets the error', async () => {
  const store = await open()
  const results = await Promise.allSettled([
    inTransaction(store, tx => add(tx, 'a')),
    inTransaction(store, async tx => {
      await add(tx, 'b')
      throw no
    }),
    // It fails at the store, and on a row of the one before.
    inTransaction(store, tx => add(tx, 'a')),
    inTransaction(store, async tx => {
      await withSavepoint(tx, async () => {
        await add(tx, 'c')
        throw no
      })
      return add(tx, 'd')
    }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: no })
  expect(await there(store)).toEqual(['a', 'd'])
})

test('no caller gets a success before the commit is on disk, and none does if the commit fails', async () => {
  const store = await open()
  stopClock()
  const results = await Promise.allSettled([
    inTransaction(store, tx => add(tx, 'a')),
    // Deferred to the commit, which then fails.
    inTransaction(store, async tx => {
      await sql`pragma defer_foreign_keys = on`.execute(tx)
      await tx.insertInto('pick_up_point_tenants').values({ pup_uid: 'nowhere', tenant_id: 'nowhere' }).execute()
    }),
    inTransaction(store, tx => add(tx, 'b')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await there(store)).toEqual([])
  expect(await inTransaction(store, tx => add(tx, 'c'))).toBe('c')
})

test('after the store rolls a group back, the affected callers get the error, and the store continues', async () => {
  const store = await open()
  stopClock()
  await sql`create trigger lost before insert on pick_up_points when new.pup_uid = 'lost' begin
    select raise(rollback, 'all'); end`.execute(store)
  const asked = ['a', 'lost', 'b'].map(uid => inTransaction(store, tx => add(tx, uid)))
  const results = await Promise.allSettled(asked)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  // The original error, not that of the failed rollback.
  expect(results[0]).toMatchObject({ reason: { message: 'all' } })
  expect(await there(store)).toEqual(['b'])
  expect(await inTransaction(store, tx => add(tx, 'c'))).toBe('c')
})

test('a transaction that is lost in a caller without a write is not continued by the next caller', () => {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  const connection = new EmbeddedConnection(prepareStatements(database), immediateTransaction)
  connection.begin()
  connection.beginSavepoint()
  connection.rollBackSavepoint()
  connection.beginSavepoint()
  // SQLite does so when it cannot read the disk.
  database.exec('rollback')
  expect(() => connection.rollBackSavepoint()).toThrow('The transaction is lost.')
})

test('a slow transaction ends its group: later ones join the next', async () => {
  const store = await open()
  stopClock()
  const order: string[] = []
  const work = (name: string, duration: number) =>
    inTransaction(store, async () => {
      vi.advanceTimersByTime(duration)
      order.push(`${name} done`)
    }).then(() => order.push(`${name} told`))
  await Promise.all([work('quick', 0), work('slow', 80), work('behind', 80)])
  expect(order).toEqual(['quick done', 'slow done', 'quick told', 'slow told', 'behind done', 'behind told'])
})

test('callers that arrive one after the other share a commit of the embedded store', async () => {
  const store = await open()
  stopClock()
  const order: string[] = []
  const book = () => inTransaction(store, async () => order.push('done')).then(() => order.push('told'))
  const booked: Promise<unknown>[] = []
  const { promise: allBooked, resolve } = Promise.withResolvers<void>()
  const arrive = (left: number) =>
    setImmediate(() => {
      booked.push(book())
      if (left === 1) resolve()
      else arrive(left - 1)
    })
  arrive(7)
  booked.push(book())
  await allBooked
  await Promise.all(booked)
  expect(order).toEqual([...Array<string>(8).fill('done'), ...Array<string>(8).fill('told')])
})

test('work of the background precedes waiting callers, and ends its commit early', async () => {
  const store = await open()
  stopClock()
  const order: string[] = []
  const callers = Array.from({ length: 20 }, () =>
    inTransaction(store, async () => order.push('caller')).then(() => order.push('answered')),
  )
  const background = inSharedCommit(store, async () => order.push('background'))
  await Promise.all([...callers, background])
  expect(order.slice(0, 9)).toEqual(['background', ...Array<string>(7).fill('caller'), 'answered'])
})

test('a commit waits while items arrive, until it is full', async () => {
  const sizes: number[] = []
  const add = createGroupCommit<string, undefined>({
    lanes: 1,
    fullAt: 4,
    async commit(next) {
      const outcomes: PromiseFulfilledResult<undefined>[] = []
      while (next() !== undefined) outcomes.push({ status: 'fulfilled', value: undefined })
      sizes.push(outcomes.length)
      return outcomes
    },
  })
  const added: Promise<unknown>[] = []
  const { promise: allAdded, resolve } = Promise.withResolvers<void>()
  const arrive = (left: number) =>
    setImmediate(() => {
      added.push(add('next'))
      if (left === 1) resolve()
      else arrive(left - 1)
    })
  arrive(4)
  added.push(add('first'))
  await allAdded
  await Promise.all(added)
  expect(sizes).toEqual([4, 1])
})

test('hundreds of concurrent transactions all succeed', async () => {
  const store = await open()
  const uids = Array.from({ length: 500 }, (_, at) => `p-${at}`)
  expect(await Promise.all(uids.map(uid => inTransaction(store, tx => add(tx, uid))))).toEqual(uids)
  expect(await there(store)).toEqual(uids.toSorted())
})

async function open(): Promise<Store> {
  const store = await openStore(temporaryFile())
  onTestFinished(() => store.destroy())
  return store
}

/** A group ends after 50 ms, which a busy machine can spend on two callers. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

async function add(tx: StoreTransaction, pup_uid: string): Promise<string> {
  await tx.insertInto('pick_up_points').values({ pup_uid, name: 'P', time_zone: 'UTC' }).execute()
  return pup_uid
}

async function there(store: Store): Promise<string[]> {
  const rows = await store.selectFrom('pick_up_points').select('pup_uid').orderBy('pup_uid').execute()
  return rows.map(({ pup_uid }) => pup_uid)
}

async function emptyLog(store: Store): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(store)
}

async function loggedPages(store: Store): Promise<number> {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(store)
  return rows[0]?.log ?? Number.NaN
}
