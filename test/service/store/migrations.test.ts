import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../service/store/migrations/index.ts'
import { person } from '../../support/service/accounts.ts'
import { openSite, startSite } from '../../support/service/site.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const names = Object.keys(migrations)

test('the migrations are numbered without a gap, in the order in which they run', () => {
  expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
  expect(names).toEqual(names.toSorted())
})

/** The tables that migrations from 0003 on have made. */
const laterTables = [
  'shipment_objects',
  'sandbox_faults',
  'client_secrets',
  'secret_attempts',
  'rate_buckets',
  'removals',
  'revisions',
  'audit_log',
  'audit_purges',
  'locker_doors',
  'shipment_counts',
  'shipment_ranges',
  'shipment_range_states',
  'shipment_change_ranges',
  'decision_collections',
]

test('a store without objects keeps its shipments, and they can have objects after the migration', async () => {
  const databaseUrl = await temporaryStore()
  const before = await openSite({ databaseUrl })
  await before.run('Stock')
  const shipmentUid = before.uids.get('a') ?? ''
  const { store } = before.world.service
  for (const table of laterTables) await store.schema.dropTable(table).execute()
  await store.schema.alterTable('shipments').dropColumn('sender_derived').execute()
  await sql`delete from kysely_migration where name >= '0003'`.execute(store)
  await before.stop()

  const { world } = await startSite({ databaseUrl })
  const added = await world.call('AddShipmentObject', { shipmentUid, details: { count: 1 } })
  expect(added.error).toBeNull()
  const { items } = await world.call('GetShipments', { shipmentUid })
  expect(items).toMatchObject([{ stateCode: 'ReadyForDropOff', objects: [{ count: 1 }] }])
})

test('a store with names in lower case gets the keys of every form, and keeps both of two names that become one', async () => {
  const databaseUrl = await temporaryStore()
  const before = await createWorld({ service: { databaseUrl } })
  const uids: Record<string, string> = {}
  // The later of two accounts with one name keeps its key, unless its key is the new one already.
  const names = {
    decomposed: 'ju\u0308rgen',
    composed: 'jürgen',
    first: 'straße',
    second: 'stra\u017fse',
    plain: 'plain',
  }
  for (const [at, [name, userName]] of Object.entries(names).entries()) {
    const ask = { ...person, emailAddress: `${name}@home.example`, userName: name }
    const { userUid } = await before.call('CreateAccount', ask)
    uids[name] = userUid ?? ''
    await before.service.store
      .updateTable('accounts')
      .set({ user_name: userName, user_name_key: userName, created_at: at })
      .where('user_uid', '=', uids[name])
      .execute()
  }
  const cells = { EmailAddress: 'ada@home.example', FirstName: 'Ada', LastName: 'Lovelace' }
  await upload(before.service, 'a.csv', csv([cells, { ...cells, EmailAddress: 'ben@home.example' }]))
  const { store } = before.service
  await store
    .updateTable('suggestions')
    .set({ search_key: '\nju\u0308rgen\nstraße\nben@home.example' })
    .where('position', '=', 1)
    .execute()
  await store
    .updateTable('suggestion_words')
    .set({ word: 'straße' })
    .where('position', '=', 1)
    .where('word', '=', 'lovelace')
    .execute()
  await store
    .updateTable('suggestion_words')
    .set({ word: 'ju\u0308rgen' })
    .where('position', '=', 1)
    .where('word', '=', 'ada')
    .execute()
  await sql`delete from kysely_migration where name >= '0008'`.execute(store)
  await before.stop()

  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  for (const [userName, name] of Object.entries({ JÜRGEN: 'composed', STRASSE: 'first', PLAIN: 'plain' }))
    expect(await world.call('GetAccount', { userName })).toMatchObject({ userUid: uids[name] })
  for (const [name, userName] of Object.entries(names)) {
    const account = { userUid: uids[name], userName, isExisting: true }
    expect(await world.call('GetAccount', { emailAddress: `${name}@home.example` })).toMatchObject(account)
  }
  for (const searchText of ['STRASSE', 'jürgen', 'STRASSE jürgen', 'strasse ben']) {
    const { items } = await world.call('GetAccountSuggestions', { searchText })
    expect([searchText, items.map(({ emailAddress }) => emailAddress)]).toEqual([searchText, ['ben@home.example']])
  }
})
