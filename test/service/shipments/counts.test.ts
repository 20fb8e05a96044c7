import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ShipmentType, type StateCode, stateCodes } from '#contract/terms'
import type { Call } from '../../../service/call.ts'
import { createRunBatch } from '../../../service/retention/purge.ts'
import { purgeShipments } from '../../../service/retention/shipments.ts'
import { countEnded, listShipments } from '../../../service/shipments/index.ts'
import { inTransaction, type Store } from '../../../service/store/index.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const minute = 60_000
const start = Date.UTC(2026, 5, 1)
const types: readonly ShipmentType[] = ['LocalPupShipment', 'CollectOnlyShipment']

let store: Store
let now = start
let made = 0
beforeAll(async () => {
  const world = await createWorld()
  store = world.service.store
  return () => world.stop()
})

async function insert(shipments: readonly { state: StateCode; type?: ShipmentType; since?: number }[]): Promise<void> {
  const rows = shipments.map(({ state, type = 'LocalPupShipment', since = now }) => ({
    shipment_uid: `shipment-${++made}`,
    tenant_id: 'acme',
    shipment_type: type,
    state_code: state,
    state_since: since,
    created_at: since,
    updated_at: since,
    pup_uid: 'square',
    width: 10,
    height: 10,
    length: 10,
    keep_booked: 0 as const,
    stock: 0 as const,
  }))
  for (let at = 0; at < rows.length; at += 500)
    await store
      .insertInto('shipments')
      .values(rows.slice(at, at + 500))
      .execute()
}

const runBatch = () => createRunBatch(store, new AbortController().signal)
const count = () => countEnded(runBatch(), now)
const purge = (before: number) => purgeShipments(runBatch(), before)

function list(request: object, type?: ShipmentType) {
  return inTransaction(store, tx =>
    listShipments(
      { tx, tenantId: 'acme', clientId: 'acme', now } as unknown as Call,
      { pageNo: 1, pageSize: 1, ...request },
      type,
    ),
  )
}

/** Compares the total of each list with a count of the rows. */
async function expectExactTotals(): Promise<void> {
  const rows = await store
    .selectFrom('shipments')
    .select(['state_code', 'shipment_type'])
    .where('tenant_id', '=', 'acme')
    .execute()
  for (const type of [undefined, ...types])
    for (const states of [
      undefined,
      ['Completed'],
      ['Completed', 'Completed'],
      ['Cancelled', 'ReadyForPickup'],
      ['ReadyForDropOff'],
    ]) {
      const expected = rows.filter(
        row =>
          (type ?? row.shipment_type) === row.shipment_type && (states ?? [row.state_code]).includes(row.state_code),
      )
      const { totalItems } = await list({ shipmentState: states ?? null }, type)
      expect(totalItems, `${type} ${states}`).toBe(expected.length)
    }
}

const stored = async () => {
  const rows = await store.selectFrom('shipment_counts').selectAll().where('tenant_id', '=', 'acme').execute()
  return rows.reduce((sum, row) => sum + row.local_count + row.collect_only_count, 0)
}

describe('the number of shipments', () => {
  test('is exact while counts move on in batches, shipments end and old ones are purged', async () => {
    const long = start - 60 * minute
    await insert(Array.from({ length: 4_500 }, (_, at) => ({ state: 'Completed', since: long + (at >> 3) })))
    await insert([{ state: 'Cancelled', type: 'CollectOnlyShipment', since: long }, { state: 'ReadyForPickup' }])
    await expectExactTotals()
    await count()
    expect(await stored()).toBe(4_501)
    await expectExactTotals()

    await insert([{ state: 'Completed' }, { state: 'Cancelled', type: 'CollectOnlyShipment' }])
    await count()
    expect(await stored(), 'a transaction that began before may commit yet').toBe(4_501)
    await expectExactTotals()

    now += 30 * minute
    await count()
    expect(await stored()).toBe(4_503)
    expect(await purge(long + 100)).toBe(809)
    expect(await stored()).toBe(4_503 - 809)
    await expectExactTotals()
  })

  test('is exact after the clock was set back and a round has noticed', async () => {
    now -= 120 * minute
    await insert([{ state: 'Completed' }])
    await count()
    await expectExactTotals()
    now += 120 * minute
  })

  test('is exact after any sequence of ends, rounds and purges', async () => {
    const step = fc.oneof(
      fc.record({ end: fc.constantFrom(...stateCodes), type: fc.constantFrom(...types), age: fc.nat(25 * minute) }),
      fc.constant('count' as const),
      fc.record({ wait: fc.nat(15 * minute) }),
      fc.record({ purge: fc.nat(40 * minute) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
        for (const one of steps) {
          if (one === 'count') await count()
          else if ('wait' in one) now += one.wait
          else if ('purge' in one) await purge(now - one.purge)
          // A transaction ends within twenty minutes, so a row is never older than that when it appears.
          else await insert([{ state: one.end, type: one.type, since: now - Math.min(one.age, 19 * minute) }])
        }
        await expectExactTotals()
      }),
      { numRuns: 15 },
    )
  })
})

test.each(['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const)(
  'pages in the order %s are the same from the beginning and from the end',
  async sortBy => {
    await insert(Array.from({ length: 30 }, (_, at) => ({ state: 'Completed', since: now + (at >> 1) })))
    const { items, totalItems } = await list({ sortBy, pageSize: 500, shipmentState: ['Completed'] })
    const all = [...items]
    for (let pageNo = 2; all.length < totalItems; pageNo++) {
      const { items: more } = await list({ sortBy, pageSize: 500, pageNo, shipmentState: ['Completed'] })
      all.push(...more)
    }
    const uids = all.map(({ shipmentUid }) => shipmentUid)
    expect(new Set(uids).size).toBe(totalItems)
    const pageSize = 7
    const last = Math.ceil(totalItems / pageSize)
    for (const pageNo of [1, Math.ceil(last / 2), Math.ceil(last / 2) + 1, last - 1, last, last + 1]) {
      const page = await list({ sortBy, pageSize, pageNo, shipmentState: ['Completed'] })
      expect(page.items.map(({ shipmentUid }) => shipmentUid)).toEqual(
        uids.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      )
    }
  },
)
