import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { type NewStore, newStore } from '../../../support/service/temporaryStore.ts'
import { startTestService } from '../../../support/service/testService.ts'
import { connected } from '../../../support/setup/postgresServer.ts'

// Without reuse the suite takes minutes longer, and no other test fails.

/** True if a database still exists after its release: one that cannot be reused is dropped. */
async function isKept({ databaseUrl, remove }: NewStore): Promise<boolean> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await remove()
  return connected(inject('postgres')?.url ?? '', async client => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    return rowCount === 1
  })
}

async function keptAfter(work: (store: Store) => Promise<unknown>): Promise<boolean> {
  const taken = await newStore()
  const store = await openStore(taken.databaseUrl)
  await work(store)
  await store.destroy()
  return isKept(taken)
}

test('the database of a service is reused', async () => {
  const taken = await newStore()
  const service = await startTestService({ databaseUrl: taken.databaseUrl })
  await service.call('GetPickUpPoints', {})
  await service.stop()
  expect(await isKept(taken)).toBe(true)
})

test.each([
  ['table', sql`create table surplus (id integer)`],
  ['missing table', sql`drop table outbox`],
  ['column', sql`alter table outbox add column surplus integer`],
  ['index', sql`create index surplus on outbox (shipment_uid)`],
  ['disabled trigger', sql`alter table audit_log disable trigger audit_log_change`],
])('a database with a changed schema is not reused: %s', async (_, change) => {
  expect(await keptAfter(store => change.execute(store))).toBe(false)
})
