import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../../service/store/migrations/index.ts'
import { openSite, startSite } from '../../support/service/site.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'

const names = Object.keys(migrations)

test('the migrations are numbered without a gap, in the order in which they run', () => {
  expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
  expect(names).toEqual(names.toSorted())
})

/** The tables that migrations from 0003 on have made. */
const laterTables = [
  'shipment_objects',
  'sandbox_faults',
  'personal_keys',
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
  await sql`delete from kysely_migration where name >= '0003'`.execute(store)
  await before.stop()

  const { world } = await startSite({ databaseUrl })
  const added = await world.call('AddShipmentObject', { shipmentUid, details: { count: 1 } })
  expect(added.error).toBeNull()
  const { items } = await world.call('GetShipments', { shipmentUid })
  expect(items).toMatchObject([{ stateCode: 'ReadyForDropOff', objects: [{ count: 1 }] }])
})
