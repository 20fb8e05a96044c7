import { expect, onTestFinished, test } from 'vitest'
import {
  inTransaction,
  openStore,
  type Store,
  type StoreTransaction,
  withSavepoint,
} from '../../../service/store/index.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'

const broken = new Error('broken')

test('a failure within a savepoint is rolled back alone, and thrown', async () => {
  const store = await open()
  const failure = await inTransaction(store, async tx => {
    await add(tx, 'before')
    const told = await withSavepoint(tx, async () => {
      await add(tx, 'within')
      throw broken
    })
    await add(tx, 'after')
    return told
  })
  expect(failure).toBe(broken)
  expect(await there(store)).toEqual(['after', 'before'])
})

test('a success within a savepoint is kept, and rolled back with its transaction', async () => {
  const store = await open()
  expect(await inTransaction(store, tx => withSavepoint(tx, () => add(tx, 'one')))).toBeUndefined()
  const undone = inTransaction(store, async tx => {
    await withSavepoint(tx, () => add(tx, 'two'))
    throw broken
  })
  await expect(undone).rejects.toBe(broken)
  expect(await there(store)).toEqual(['one'])
})

test('savepoints of one transaction run in sequence, even after one that failed unexpectedly', async () => {
  const store = await open()
  const failures = await inTransaction(store, async tx => [
    await withSavepoint(tx, () => add(tx, 'one')),
    await withSavepoint(tx, () => Promise.reject()),
    await withSavepoint(tx, () => add(tx, 'two')),
  ])
  expect(failures).toEqual([undefined, expect.any(Error), undefined])
  expect(await there(store)).toEqual(['one', 'two'])
})

async function open(): Promise<Store> {
  const store = await openStore(await temporaryStore())
  onTestFinished(() => store.destroy())
  return store
}

async function add(tx: StoreTransaction, pup_uid: string): Promise<void> {
  await tx.insertInto('pick_up_points').values({ pup_uid, name: 'P', time_zone: 'UTC' }).execute()
}

async function there(store: Store): Promise<string[]> {
  const rows = await store.selectFrom('pick_up_points').select('pup_uid').orderBy('pup_uid').execute()
  return rows.map(({ pup_uid }) => pup_uid)
}
