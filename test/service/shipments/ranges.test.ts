import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentType, StateCode } from '#contract/terms'
import type { Call } from '../../../service/call.ts'
import { createRunBatch } from '../../../service/retention/purge.ts'
import { purgeShipments } from '../../../service/retention/shipments.ts'
import { countChanges, countEnded, countRanges, listShipments } from '../../../service/shipments/index.ts'
import { withAnyTable } from '../../../service/store/copy/tables.ts'
import { inTransaction, type Store } from '../../../service/store/index.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const minute = 60_000
const pageSize = 7
const size = 300
const types: readonly ShipmentType[] = ['LocalPupShipment', 'CollectOnlyShipment']
const orders = ['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const
/** Filters by state whose pages are found by ranges. */
const filters: readonly (readonly StateCode[] | undefined)[] = [
  undefined,
  ['Completed'],
  ['Completed', 'Cancelled'],
  ['Cancelled', 'ReadyForPickup', 'Completed'],
]

let store: Store
let now = Date.UTC(2026, 5, 1)
let made = 0
beforeAll(async () => {
  const world = await createWorld()
  store = world.service.store
  return () => world.stop()
})

/** Every eleventh shipment is active, and every seventh of the others is cancelled. */
function stateOf(at: number): StateCode {
  if (at % 11 === 0) return 'ReadyForPickup'
  return at % 7 === 0 ? 'Cancelled' : 'Completed'
}

/** Inserts shipments. Every fifth belongs to another tenant, and every third is of the other type. Some share their moment. */
async function insert(count: number): Promise<void> {
  const row = () => ({
    shipment_uid: `shipment-${++made}`,
    tenant_id: made % 5 === 0 ? 'initech' : 'acme',
    shipment_type: made % 3 === 0 ? ('CollectOnlyShipment' as const) : ('LocalPupShipment' as const),
    state_code: stateOf(made),
    state_since: now,
    created_at: now,
    updated_at: now + ((made * 7) % 400),
    pup_uid: 'square',
    width: 10,
    height: 10,
    length: 10,
    keep_booked: 0 as const,
    stock: 0 as const,
  })
  for (let left = count; left > 0; left -= 1_000)
    await store
      .insertInto('shipments')
      .values(Array.from({ length: Math.min(left, 1_000) }, row))
      .execute()
}

const runBatch = () => createRunBatch(store, new AbortController().signal)
async function count(): Promise<void> {
  await countEnded(runBatch(), now)
  await countRanges(runBatch(), now, size)
  await countChanges(runBatch(), now, size)
}
const purge = (before: number) => purgeShipments(runBatch(), before)

function list(request: object, type?: ShipmentType) {
  return inTransaction(store, tx =>
    listShipments(
      { tx, tenantId: 'acme', clientId: 'acme', now } as unknown as Call,
      { pageNo: 1, pageSize, ...request },
      type,
    ),
  )
}

/** Ends active shipments, those that were created first. */
async function end(part: number): Promise<void> {
  const last = Math.floor(made * part)
  await store
    .updateTable('shipments')
    .set({ state_code: 'Completed', state_since: now, updated_at: now })
    .where('state_code', '=', 'ReadyForPickup')
    .where('seq', '<=', last)
    .execute()
}

/** Gives shipments an old change. No change of a service is older than the one before, so their ranges start again. */
async function age(after: number, last: number): Promise<void> {
  await store
    .updateTable('shipments')
    .set({ updated_at: 0 })
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  await store.deleteFrom('shipment_change_ranges').execute()
  await countChanges(runBatch(), now, size)
}

const ranges = () =>
  store.selectFrom('shipment_ranges').selectAll().where('tenant_id', '=', 'acme').orderBy('last_seq').execute()
const changeRanges = () =>
  store
    .selectFrom('shipment_change_ranges')
    .selectAll()
    .where('tenant_id', '=', 'acme')
    .orderBy('last_change')
    .execute()

/** Compares pages all over the list, at the limits of ranges too, with the rows in their order. */
async function expectRightPages(): Promise<void> {
  const rows = await store
    .selectFrom('shipments')
    .select(['shipment_uid', 'shipment_type', 'state_code', 'seq', 'updated_at'])
    .where('tenant_id', '=', 'acme')
    .orderBy('seq')
    .execute()
  const limits = {
    Created: (await ranges()).map(range => range.last_seq),
    Activity: (await changeRanges()).map(range => range.last_change),
  }
  for (const [states, type, sortBy] of filters.flatMap(states =>
    [undefined, ...types].flatMap(type => orders.map(sortBy => [states, type, sortBy] as const)),
  )) {
    const [order, column] = sortBy.startsWith('Created')
      ? (['Created', 'seq'] as const)
      : (['Activity', 'updated_at'] as const)
    const all = rows
      .filter(
        row =>
          (type ?? row.shipment_type) === row.shipment_type && (states ?? [row.state_code]).includes(row.state_code),
      )
      .sort((a, b) => a[column] - b[column] || a.seq - b.seq)
    const places = [...limits[order].slice(0, 1), ...limits[order].slice(-1)].map(
      limit => all.filter(row => row[column] <= limit).length,
    )
    const uids = all.map(({ shipment_uid }) => shipment_uid)
    if (sortBy.endsWith('Desc')) uids.reverse()
    const offsets = [
      all.length / 2,
      all.length / 3,
      (all.length * 2) / 3,
      ...places.flatMap(at => [at, all.length - at]),
    ]
    for (const offset of offsets) {
      const pageNo = Math.floor(offset / pageSize) + 1
      const { items, totalItems } = await list({ pageNo, sortBy, shipmentState: states ?? null }, type)
      expect(totalItems).toBe(all.length)
      expect(
        items.map(({ shipmentUid }) => shipmentUid),
        `${states ?? ''} ${type} ${sortBy} ${pageNo}`,
      ).toEqual(uids.slice((pageNo - 1) * pageSize, pageNo * pageSize))
    }
  }
}

describe('a page in the middle of all shipments, or of some states', () => {
  test('is right before and after shipments are counted, inserted and purged', async () => {
    await insert(1_600)
    await count()
    expect(await ranges(), 'a transaction that began before may commit yet').toEqual([])
    await expectRightPages()

    now += 30 * minute
    await count()
    expect((await ranges()).map(row => row.local_count + row.collect_only_count)).toEqual([300, 300, 300, 300])
    await insert(600)
    await expectRightPages()
    await end(0.6)
    await expectRightPages()
    now += 30 * minute
    await count()
    await expectRightPages()

    await age(500, 1_000)
    expect(await purge(1)).toBe(400)
    await expectRightPages()

    const [first] = await changeRanges()
    await purge(first?.last_change ?? 0)
    expect((await changeRanges()).map(range => range.last_change)).not.toContain(first?.last_change)
    await insert(1_000)
    now += 30 * minute
    await count()
    await expectRightPages()
  })

  test.each([
    ['shipment_ranges', 'last_seq', /^ undefined CreatedAsc/],
    ['shipment_range_states', 'last_seq', /^Completed undefined CreatedAsc/],
    ['shipment_change_ranges', 'last_change', /^ undefined ActivityAsc/],
  ] as const)('follows the numbers of %s instead of the index', async (table, column, page) => {
    const db = withAnyTable(store)
    const { first } = await db
      .selectFrom(table)
      .where('tenant_id', '=', 'acme')
      .select(eb => eb.fn.min(column).as('first'))
      .executeTakeFirstOrThrow()
    const change = (operator: '-' | '+') =>
      db
        .updateTable(table)
        .set(eb => ({ local_count: eb('local_count', operator, 100) }))
        .where(column, '=', first)
        .execute()
    await change('-')
    await expect(expectRightPages()).rejects.toThrow(page)
    await change('+')
  })

  test('is right after the clock was set back behind changes that were counted', async () => {
    const before = await changeRanges()
    now = (before.at(-1)?.last_change ?? 0) - minute
    await end(0.9)
    await count()
    expect((await changeRanges()).length).toBeLessThan(before.length)
    await expectRightPages()
    now += 90 * minute
  })

  test('is right after several processes have counted at once', async () => {
    await insert(1_500)
    now += 30 * minute
    await Promise.all([count(), count(), count()])
    await count()
    await expectRightPages()
  })

  test('is right after any sequence of inserts, ends, rounds and purges, without empty ranges', async () => {
    const step = fc.oneof(
      fc.record({ insert: fc.integer({ min: 100, max: 900 }) }),
      fc.constant('count' as const),
      fc.record({ end: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ purgeUntil: fc.double({ min: 0, max: 1, noNaN: true }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async steps => {
        for (const one of steps) {
          now += 15 * minute
          if (one === 'count') await count()
          else if ('insert' in one) await insert(one.insert)
          else if ('end' in one) await end(one.end)
          else {
            await age(0, Math.floor(made * one.purgeUntil))
            await purge(1)
          }
        }
        await expectRightPages()
        const kept = [...(await ranges()), ...(await changeRanges())]
        expect(kept.filter(row => row.local_count + row.collect_only_count === 0)).toEqual([])
      }),
      { numRuns: 2 },
    )
  })
})
