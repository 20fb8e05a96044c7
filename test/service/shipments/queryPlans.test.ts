import { type CompiledQuery, type Insertable, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReadRequestOf } from '#contract'
import type { Call } from '../../../service/call.ts'
import { listShipments } from '../../../service/shipments/list.ts'
import type { Store } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import type { ShipmentRow } from '../../../service/store/tables.ts'
import { explainPostgres, explainSqlite, recordStatements } from '../../support/service/queryPlans.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

type Request = ReadRequestOf<'GetShipments'>

const now = Date.UTC(2026, 5, 1)
/** Shipments of the tenant that lists, and of another one. */
const [shipments, foreign] = [2_000, 10_000]
const shipmentsOfUser = 10
const shipmentsOfCase = 3
/** One in this many has not ended. */
const activePart = 100
const pageSize = 20
const pickUpPoints = ['square', 'reserve', 'lastResort', 'shared', 'border']

const page = { pageNo: 1, pageSize }
const user = { ...page, userUid: 'user-7' }

/** A list, the index by which its page is found, and the rows that a part of its plan may read on PostgreSQL. */
const lists: Record<string, { request: Request; index: RegExp; rows: number }> = {
  'of a user': { request: user, index: /shipments_by_to_user_uid_tenant_id/, rows: 100 },
  // Both are short ways: the user has few shipments, and few shipments are active.
  'of a user, active ones': {
    request: { ...user, activeShipments: true },
    index: /shipments_by_(to_user_uid_tenant_id|tenant_id_state_code)/,
    rows: 100,
  },
  'of a case': {
    request: { ...page, referenceCaseNo: 'case-7' },
    index: /shipments_by_tenant_id_reference_case_no/,
    rows: 100,
  },
  'of a case with more shipments than a page': {
    request: { ...page, pageSize: 2, referenceCaseNo: 'case-7' },
    index: /shipments_by_tenant_id_reference_case_no/,
    rows: 100,
  },
  'of a pick up point': {
    request: { ...page, bookedPupUid: 'square' },
    index: /shipments_by_tenant_id_pup_uid_seq/,
    rows: shipments / pickUpPoints.length,
  },
  // A pick up point may keep thousands that have ended: their states are read in the index, and not in the rows.
  'of a pick up point, active ones': {
    request: { ...page, bookedPupUid: 'square', activeShipments: true },
    index: /USING COVERING INDEX shipments_by_tenant_id_pup_uid_seq|^shipments_by_tenant_id_(pup_uid|state_code)/,
    rows: shipments / pickUpPoints.length,
  },
  'of active shipments': {
    request: { ...page, activeShipments: true },
    index: /shipments_by_tenant_id_state_code/,
    rows: 100,
  },
  'of lockers out of service': {
    request: { ...page, outOfService: true },
    index: /shipments_by_locker_uid|shipments_pkey|rowid/,
    rows: 100,
  },
  'of all shipments, the first page': { request: page, index: /shipments_by_tenant_id_seq/, rows: shipments },
  // PostgreSQL sorts the shipments of a small tenant. It finds them by any index that begins with the tenant.
  'of all shipments, the last page': {
    request: { pageNo: shipments / pageSize, pageSize },
    index: /shipments_by_tenant_id_/,
    rows: shipments,
  },
}

describe('among 12,000 shipments of two tenants, a list reads by the index of its filter', () => {
  let world: ServiceWorld
  beforeAll(async () => {
    world = await createWorld()
    const { store } = world.service
    await fill(store)
    // Without statistics PostgreSQL takes nearly every locker and pick up point to be out of service.
    if (hasRowLocks(store)) await sql`vacuum analyze shipments, lockers, pick_up_points`.execute(store)
    return () => world.stop()
  })

  test.each(Object.entries(lists))('%s', async (_, { request, index, rows }) => {
    const { store } = world.service
    const statements = await recordStatements(store, tx =>
      listShipments({ tx, tenantId: 'acme', clientId: 'acme', now } as unknown as Call, request),
    )
    const ofShipments = statements.filter(query => query.sql.includes('from "shipments"'))
    for (const query of ofShipments) expect(objectionsTo(await planOf(store, query), rows), query.sql).toEqual([])
    const page = await planOf(store, requireLast(ofShipments))
    expect(page.map(({ index }) => index)).toContainEqual(expect.stringMatching(index))
  })

  test('a scan is found', async () => {
    const { store } = world.service
    const [query] = await recordStatements(store, tx =>
      tx.selectFrom('shipments').select('seq').where('width', '=', 7).execute(),
    )
    expect(objectionsTo(await planOf(store, requireLast([query])), shipments)).not.toEqual([])
  })
})

/** A part of a plan that reads shipments or one of their indexes. */
interface Reading {
  readonly text: string
  readonly index: string
  readonly isScan: boolean
  /** 0 on the embedded store, whose plans have no numbers. */
  readonly rows: number
}

async function planOf(store: Store, query: CompiledQuery): Promise<Reading[]> {
  if (!hasRowLocks(store)) {
    const lines = await explainSqlite(store, query)
    return lines
      .filter(line => /^\w+ shipments\b/.test(line))
      .map(text => ({ text, index: text, isScan: text.startsWith('SCAN'), rows: 0 }))
  }
  const nodes = await explainPostgres(store, query)
  return nodes
    .filter(({ table, index }) => table === 'shipments' || index?.startsWith('shipments_'))
    .map(({ type, index = '', rows }) => ({ text: `${type} ${index}`, index, isScan: type === 'Seq Scan', rows }))
}

function objectionsTo(plan: readonly Reading[], maxRows: number): string[] {
  if (plan.length === 0) return ['no plan']
  return plan.flatMap(({ text, isScan, rows }) => (isScan || rows > maxRows ? [`${text}: ${rows} rows`] : []))
}

function requireLast(queries: readonly (CompiledQuery | undefined)[]): CompiledQuery {
  const last = queries.at(-1)
  if (last === undefined) throw new Error('no statement')
  return last
}

/** Inserts shipments as if they had been booked long ago. All were brought by the dispatcher. */
async function fill(store: Store): Promise<void> {
  for (const [tenantId, length] of [
    ['acme', shipments],
    ['globex', foreign],
  ] as const) {
    const rows = Array.from(
      { length },
      (_, n): Insertable<ShipmentRow> => ({
        shipment_uid: `${tenantId}-${n}`,
        tenant_id: tenantId,
        shipment_type: 'LocalPupShipment',
        state_code: n % activePart === 0 ? 'ReadyForPickup' : 'Completed',
        state_since: now + n,
        created_at: now + n,
        updated_at: now + n,
        reference_case_no: `case-${Math.floor(n / shipmentsOfCase)}`,
        from_user_uid: `${tenantId}-dispatcher`,
        to_user_uid: `user-${Math.floor(n / shipmentsOfUser)}`,
        pup_uid: pickUpPoints[n % pickUpPoints.length] ?? '',
        width: 10,
        height: 10,
        length: 10,
        keep_booked: 0,
        stock: 0,
      }),
    )
    for (let from = 0; from < rows.length; from += 500) {
      await store
        .insertInto('shipments')
        .values(rows.slice(from, from + 500))
        .execute()
    }
  }
}
