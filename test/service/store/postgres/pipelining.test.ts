import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { inTransaction, openStore, type Store, type StoreTransaction } from '../../../../service/store/index.ts'
import { PipelinedClient } from '../../../../service/store/postgres/pipelinedClient.ts'
import { defer, executeTogether, keepQuery, send } from '../../../../service/store/statements.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'

const insert = keepQuery((db, { name }: { readonly name: string }) =>
  db.insertInto('revisions').values({ name, revision: sql<number>`1` }),
)
const find = keepQuery((db, { name }: { readonly name: string }) =>
  db.selectFrom('revisions').select('name').where('name', '=', name),
)
const add = (tx: StoreTransaction, name: string) => defer(tx, insert(tx, { name }))
const names = async (store: Store) =>
  (await store.selectFrom('revisions').select('name').orderBy('name').execute()).map(({ name }) => name)

test('a write behind a start that failed is not executed, and neither is what follows it', async () => {
  const client = new PipelinedClient({ connectionString: inject('postgres')?.url, pipeline: true })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create temporary table written (at integer)', [])
  const ask = (text: string): Promise<{ rows: unknown[] }> => client.query(text, [])
  const outcomes = await Promise.allSettled([
    ask('start transaction isolation level unknown'),
    ask('select 1 as one'),
    ask('insert into written values (1)'),
    ask('select 2 as two'),
  ])
  // A select that was sent before the error arrived reads by itself, which changes nothing.
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected'])
  expect((await ask('select * from written')).rows).toEqual([])
  expect((await ask('select 3 as three')).rows).toEqual([{ three: 3 }])
})

test('a deferred statement is part of the transaction, and later statements see it', async () => {
  const store = await open()
  const [first, [second]] = await inTransaction(store, async tx => {
    await add(tx, 'one')
    const sent = await send(tx, find(tx, { name: 'one' }))
    return [await sent(), await executeTogether(tx, find(tx, { name: 'one' }))]
  })
  expect([first, second]).toEqual([[{ name: 'one' }], [{ name: 'one' }]])
  await expect(
    inTransaction(store, async tx => {
      await add(tx, 'two')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await names(store)).toEqual(['one'])
})

test('a deferred statement that fails rolls the transaction back, and its error is reported', async () => {
  const store = await open()
  await inTransaction(store, tx => add(tx, 'one'))
  const fail = (work: (tx: StoreTransaction) => Promise<unknown>) =>
    expect(
      inTransaction(store, async tx => {
        await add(tx, 'two')
        await add(tx, 'one')
        await work(tx)
      }),
    ).rejects.toMatchObject({ code: '23505' })
  await fail(async () => undefined)
  // The next statement fails because of it.
  await fail(tx => tx.executeQuery(find(tx, { name: 'two' })))
  await fail(tx => executeTogether(tx, find(tx, { name: 'two' }), find(tx, { name: 'one' })))
  expect(await names(store)).toEqual(['one'])
  await inTransaction(store, tx => add(tx, 'two'))
  expect(await names(store)).toEqual(['one', 'two'])
})

test('of several queries that are sent together, the first that fails is reported', async () => {
  const store = await open()
  const divide = (by: number) => sql<{ result: number }>`select 1 / ${by}::int as result`.compile(store)
  await expect(inTransaction(store, tx => executeTogether(tx, divide(1), divide(0), divide(1)))).rejects.toMatchObject({
    code: '22012',
  })
  expect(await inTransaction(store, tx => executeTogether(tx, divide(1), divide(1)))).toEqual([
    [{ result: 1 }],
    [{ result: 1 }],
  ])
})

/** A store without rows in `revisions`. */
async function open(): Promise<Store> {
  const store = await openStore(await temporaryStore(), { connections: 2 })
  onTestFinished(() => store.destroy())
  await store.deleteFrom('revisions').execute()
  return store
}
