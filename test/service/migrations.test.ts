import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../service/store/migrations/index.ts'
import { openSite, startSite } from './site.ts'
import { temporaryStore } from './temporaryStore.ts'

const names = Object.keys(migrations)

test('the migrations are numbered without a gap, in the order in which they run', () => {
  expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
  expect(names).toEqual(names.toSorted())
})

test('a store from before objects keeps its shipments, and they can have objects then', async () => {
  const databaseUrl = temporaryStore()
  const before = await openSite({ databaseUrl })
  await before.take('Stock')
  const shipmentUid = before.uids.get('a') ?? ''
  await before.stop()
  const database = new DatabaseSync(databaseUrl.slice('file:'.length))
  onTestFinished(() => database.close())
  database.exec("drop table shipment_objects; delete from kysely_migration where name >= '0003'")

  const { world } = await startSite({ databaseUrl })
  const added = await world.call('AddShipmentObject', { shipmentUid, details: { count: 1 } })
  expect(added.error).toBeNull()
  const { items } = await world.call('GetShipments', { shipmentUid })
  expect(items).toMatchObject([{ stateCode: 'ReadyForDropOff', objects: [{ count: 1 }] }])
})
