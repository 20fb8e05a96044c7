import { tracingChannel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { reencrypt } from '../../../service/encryption/reencrypt.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const rows = 150
const secrets = {
  decrypt: () => '1234',
  encrypt: () => 'v1.new.text',
  hashCodes: () => [{ code: '1234', data_key_id: 'new', code_hash: 'hash' }],
}

test('the search for values of old data keys is in no transaction', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rows)})
    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at, pup_uid,
      delivery_code, width, height, length, keep_booked, stock)
    select 'uid-' || n, 'acme', 'LocalPupShipment', 'ReadyForDropOff', n, n, n, 'shared', 'v1.old.text', 1, 1, 1, 0, 0
    from numbers`.execute(store)
  let transactions = 0
  const start = () => void transactions++
  const channel = tracingChannel('lockerflow:transaction')
  channel.start.subscribe(start)
  onTestFinished(() => void channel.start.unsubscribe(start))
  const count = await reencrypt(store, secrets as never, { oldIds: ['old'], signal: undefined })
  expect(count).toBe(rows)
  // A transaction has 100 rows at most. A search that finds nothing more needs none.
  expect(transactions).toBe(2)
  const left = await store.selectFrom('shipments').select('seq').where('delivery_code', 'like', 'v1.old.%').execute()
  expect(left).toEqual([])
})
