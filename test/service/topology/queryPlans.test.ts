import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { removeUnused } from '../../../service/topology/removeUnused.ts'
import { stock } from '../../support/service/callbacks.ts'
import { explainPostgres, explainSqlite, recordStatements } from '../../support/service/queryPlans.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const others = 5_000

test('the search for shipments at a retired pick up point reads none of the others', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  const shipment_uid = await stock(world, { PupUid: 'square' })
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(others)})
    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at, pup_uid,
      width, height, length, keep_booked, stock)
    select 'other-' || n, tenant_id, shipment_type, 'Completed', 0, 0, 0, 'shared', 1, 1, 1, 0, 0
    from shipments cross join numbers where shipment_uid = ${shipment_uid}`.execute(store)
  await store.updateTable('pick_up_points').set({ retired_at: 0 }).where('pup_uid', '=', 'square').execute()
  if (hasRowLocks(store)) await sql`vacuum analyze shipments`.execute(store)

  const statements = (await recordStatements(store, tx => removeUnused(tx, 0))).filter(({ sql: text }) =>
    text.includes('from "shipments"'),
  )
  expect(statements).toHaveLength(2)
  for (const query of statements) {
    if (hasRowLocks(store)) {
      const read = (await explainPostgres(store, query)).map(({ rows }) => rows)
      expect(Math.max(...read), query.sql).toBeLessThan(others / 10)
    } else {
      const lines = (await explainSqlite(store, query)).filter(detail => detail.includes('shipments'))
      expect(lines).toEqual([expect.stringMatching(/^SEARCH shipments .*tenant_id=\? AND pup_uid=\?/)])
    }
  }
})
