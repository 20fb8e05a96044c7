import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createRunBatch, type RunBatch } from '../../../service/retention/purge.ts'
import { purgeShipments } from '../../../service/retention/shipments.ts'
import { inTransaction, type Store, type StoreTransaction } from '../../../service/store/index.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** A moment behind all shipments of these tests. */
const before = 1_000_000

async function start(): Promise<{ store: Store; runBatch: RunBatch }> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  return { store, runBatch: createRunBatch(store, new AbortController().signal) }
}

interface Rows {
  readonly count: number
  readonly tenantId?: string
  readonly caseNo?: string
  readonly state?: string
  readonly changedAfter?: number
}

/** Inserts shipments of a case. Their changes are a millisecond apart. */
async function insert(
  db: Store,
  { count, tenantId = 'acme', caseNo = 'WEB', state = 'Completed', changedAfter = 0 }: Rows,
): Promise<void> {
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at,
      reference_case_no, pup_uid, width, height, length, keep_booked, stock)
    select ${`${tenantId}-${caseNo}-${state}-`} || n, ${tenantId}, 'LocalPupShipment', ${state}, n, n, ${changedAfter} + n, ${caseNo},
      'shared', 1, 1, 1, 0, 0
    from numbers`.execute(db)
}

async function countEnded(store: Store): Promise<number> {
  return (await store.selectFrom('shipments').select('seq').where('state_code', '=', 'Completed').execute()).length
}

test('shipments of an active case are read in few transactions', async () => {
  const { store, runBatch } = await start()
  await insert(store, { count: 2_000 })
  await insert(store, { count: 1, state: 'ReadyForDropOff' })
  let batches = 0
  const counted: RunBatch = work => {
    batches++
    return runBatch(work)
  }
  expect(await purgeShipments(counted, before)).toBe(0)
  expect(batches).toBeLessThan(10)
})

test.each([
  { count: 120, caseNo: 'WEB' },
  { count: 15, caseNo: 'C-1' },
])('a shipment that is booked during a round keeps the others of its case: $caseNo', async ({ count, caseNo }) => {
  const { store, runBatch } = await start()
  await insert(store, { count: 60, caseNo: 'earlier' })
  await insert(store, { count, caseNo, changedAfter: 60 })
  let batches = 0
  const booking: RunBatch = async work => {
    const result = await runBatch(work)
    // The first one reads the tenants.
    if (++batches === 2) await insert(store, { count: 1, caseNo, state: 'ReadyForDropOff' })
    return result
  }
  expect(await purgeShipments(booking, before)).toBe(60)
  expect(await countEnded(store)).toBe(count)
})

test('the shipments of other tenants are purged when those of one cannot be', async () => {
  const { store, runBatch } = await start()
  for (const tenantId of ['acme', 'globex']) await insert(store, { count: 2, tenantId })
  const failing: RunBatch = work =>
    runBatch(async tx => {
      const result = await work(tx)
      if ((await countOf(tx, 'acme')) === 0) throw new Error('the purge of acme fails')
      return result
    })
  const failed: string[] = []
  expect(await purgeShipments(failing, before, tenantId => failed.push(tenantId))).toBe(2)
  expect(failed).toEqual(['acme'])
  expect(await inTransaction(store, tx => countOf(tx, 'globex'))).toBe(0)
})

async function countOf(tx: StoreTransaction, tenantId: string): Promise<number> {
  return (await tx.selectFrom('shipments').select('seq').where('tenant_id', '=', tenantId).execute()).length
}

test('the purge ends when several tenants fail one after the other', async () => {
  const { store } = await start()
  const tenants = ['a', 'b', 'c', 'd'].map(tenant_id => ({ tenant_id }))
  let calls = 0
  const failing: RunBatch = async () => {
    if (calls++ === 0) return tenants as never
    throw new Error('unavailable')
  }
  const failed: string[] = []
  await expect(purgeShipments(failing, before, tenantId => failed.push(tenantId))).rejects.toThrow('unavailable')
  expect(failed).toEqual(['a', 'b'])
  expect(await countEnded(store)).toBe(0)
})
