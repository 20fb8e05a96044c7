import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultSettings, openClientRegistry } from '#service'
import { recordAudit } from '../../../service/audit/index.ts'
import { deleteAuditEntries } from '../../../service/retention/deletions.ts'
import { batchRows, createRunBatch } from '../../../service/retention/purge.ts'
import { purgeShipments } from '../../../service/retention/shipments.ts'
import { inTransaction, type Store } from '../../../service/store/index.ts'
import { fillOutbox, stock } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { booking } from '../../support/service/topology.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const day = 86_400_000
const retention = {
  ...defaultSettings.retention,
  shipments: day,
  audit: 2 * day,
  deadCallbacks: day,
  removedTenants: 0,
}

/** Rounds run all the time. */
async function start(databaseUrl: string): Promise<ServiceWorld> {
  const world = await createWorld({ service: { databaseUrl, retention, purgeInterval: 100 } })
  onTestFinished(() => world.stop())
  return world
}

/** The counts of all rounds. */
function countPurged(worlds: readonly ServiceWorld[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const line of worlds.flatMap(({ service }) => service.lines)) {
    if (line.msg !== 'expired rows purged') continue
    const rows = line.rows as Record<string, number>
    for (const [name, count] of Object.entries(rows)) counts[name] = (counts[name] ?? 0) + count
  }
  return counts
}

test('rows past their time are purged once by two processes, in batches, and fresh rows stay', async () => {
  const databaseUrl = await temporaryStore()
  const worlds = [await start(databaseUrl), await start(databaseUrl)] as const
  const [world] = worlds
  const { store } = world.service
  const now = Date.now()
  const old = now - 3 * day
  const rows = 2 * batchRows + 1

  const response = { client_id: 'acme', fingerprint: 'f', status: 200, body: '{}', user_uid: null }
  const responses = Array.from({ length: rows }, (_, at) => ({ ...response, key: `k${at}`, created_at: old }))
  const entries = Array.from({ length: rows }, () => ({ recorded_at: old, actor: 'client', action: 'account.removed' }))
  const attempts = { client_id: 'acme', failures: 5 }
  // All at once: a round between two inserts would be counted as well.
  await inTransaction(store, async tx => {
    for (const slice of [responses.slice(0, 500), responses.slice(500)]) {
      await tx.insertInto('idempotency').values(slice).execute()
    }
    await tx
      .insertInto('idempotency')
      .values({ ...response, key: 'fresh', created_at: now })
      .execute()
    for (const slice of [entries.slice(0, 500), entries.slice(500)]) {
      await tx
        .insertInto('audit_log')
        .values(slice.map(entry => ({ ...unset, ...entry })))
        .execute()
    }
    await recordAudit(tx, { action: 'account.removed', now, subject: 'fresh' })
    await tx
      .insertInto('secret_attempts')
      .values([
        { ...attempts, address: '192.0.2.1', lock_expires_at: old },
        { ...attempts, address: '192.0.2.2', lock_expires_at: now },
      ])
      .execute()
    await tx
      .insertInto('suggestion_uploads')
      .values(
        ['staged', 'staging'].map((upload_id, at) => ({
          ...staged,
          upload_id,
          expires_at: at === 0 ? old : now + day,
        })),
      )
      .execute()
    await tx
      .insertInto('rate_buckets')
      .values([
        { client_id: 'acme', tokens: 1, filled_at: old },
        { client_id: 'globex', tokens: 1, filled_at: now },
      ])
      .execute()
  })
  const expected = { responses: rows, audit: rows, signIns: 2, stagedUploads: 1 }
  await vi.waitFor(() => expect(countPurged(worlds)).toEqual(expected), { timeout: 20_000, interval: 50 })
  expect(await store.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'fresh' }])
  expect(await store.selectFrom('audit_log').select('subject').execute()).toEqual([{ subject: 'fresh' }])
  expect(await store.selectFrom('secret_attempts').select('address').execute()).toEqual([{ address: '192.0.2.2' }])
  expect(await store.selectFrom('rate_buckets').select('client_id').execute()).toEqual([{ client_id: 'globex' }])
  expect(await store.selectFrom('suggestion_uploads').select('upload_id').execute()).toEqual([{ upload_id: 'staging' }])
})

const unset = { tenant_id: null, client_id: null, subject: null, detail: null }
const staged = { tenant_id: 'acme', active: 0, reference: null, created_at: 0 } as const

test('a transaction of the purge deletes a bounded number of rows', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  const entries = Array.from({ length: batchRows + 1 }, () => ({
    ...unset,
    recorded_at: 1,
    actor: 'client',
    action: 'account.removed',
  }))
  await store.insertInto('audit_log').values(entries).execute()
  expect(await inTransaction(store, tx => deleteAuditEntries(tx, 2))).toBe(batchRows)
  expect(await inTransaction(store, tx => deleteAuditEntries(tx, 2))).toBe(1)
})

test('an ended shipment is purged when neither its case nor a linked shipment is active', async () => {
  const databaseUrl = await temporaryStore()
  const world = await start(databaseUrl)
  const { store } = world.service
  const referenceCaseNo = 'case-1'
  const plain = await stock(world)
  const ofCase = await stock(world, { Details: { ReferenceCaseNo: referenceCaseNo } })
  const active = await stock(world, { Details: { ReferenceCaseNo: referenceCaseNo } })
  const linked = await stock(world)
  await world.call('AddShipmentObject', { shipmentUid: plain, details: { count: 1 } })
  await link(store, active, linked)
  for (const shipmentUid of [plain, ofCase, linked]) await world.call('CancelShipment', { shipmentUid })
  const listed = () => store.selectFrom('shipments').select('shipment_uid').orderBy('seq').execute()
  expect(await listed()).toHaveLength(4)

  world.service.advance(2 * day)
  const uids = async () => (await listed()).map(({ shipment_uid }) => shipment_uid)
  await expect.poll(uids).toEqual([ofCase, active, linked])
  expect(await store.selectFrom('shipment_objects').select('seq').execute()).toEqual([])
  await world.call('CancelShipment', { shipmentUid: active })
  // The link would be followed from the shipment that ended last, which is not old yet.
  await expect.poll(uids).toEqual([active])
})

test('an active shipment without a case stays, however old it is', async () => {
  const { world, store } = await startWithoutRounds()
  const [ended, active] = [await stock(world), await stock(world)]
  await world.call('CancelShipment', { shipmentUid: ended })
  expect(await purgeAll(store)).toBe(1)
  expect(await uidsOf(store)).toEqual([active])
})

describe('an ended shipment stays while the shipment of this link is active', () => {
  const columns = ['prior_shipment_uid', 'swaps_shipment_uid', 'circular_prior_shipment_uid'] as const
  const rows = columns.flatMap(column => [
    { column, from: 'the active one' },
    { column, from: 'the ended one' },
  ])
  test.each(rows)('$column of $from', async ({ column, from }) => {
    const { world, store } = await startWithoutRounds()
    const [ended, active, alone] = [await stock(world), await stock(world), await stock(world)]
    for (const shipmentUid of [ended, alone]) await world.call('CancelShipment', { shipmentUid })
    await (from === 'the active one' ? link(store, active, ended, column) : link(store, ended, active, column))
    expect(await purgeAll(store)).toBe(1)
    expect(await uidsOf(store)).toEqual([ended, active])
    await world.call('CancelShipment', { shipmentUid: active })
    expect(await purgeAll(store)).toBe(2)
  })
})

test('an active case of another tenant with the same number keeps no shipment', async () => {
  const { world, store } = await startWithoutRounds()
  const ofCase = { ...booking, PupUid: 'shared', Details: { ReferenceCaseNo: 'case-1' } }
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', ofCase as never)
  const foreign = await world.call('CreateLocalShipmentAsStock', ofCase as never, 'globex')
  await world.call('CancelShipment', { shipmentUid: shipmentUids[0] ?? '' })
  expect(await purgeAll(store)).toBe(1)
  expect(await uidsOf(store)).toEqual(foreign.shipmentUids)
})

async function startWithoutRounds(): Promise<{ world: ServiceWorld; store: Store }> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  return { world, store: world.service.store }
}

/** Purges as if every shipment were old. */
function purgeAll(store: Store): Promise<number> {
  return purgeShipments(createRunBatch(store, new AbortController().signal), Date.now() + day)
}

async function uidsOf(store: Store): Promise<string[]> {
  const rows = await store.selectFrom('shipments').select('shipment_uid').orderBy('seq').execute()
  return rows.map(({ shipment_uid }) => shipment_uid)
}

type LinkColumn = 'prior_shipment_uid' | 'swaps_shipment_uid' | 'circular_prior_shipment_uid'

/** Makes a shipment refer to another one. */
async function link(
  store: Store,
  shipmentUid: string,
  other: string,
  column: LinkColumn = 'prior_shipment_uid',
): Promise<void> {
  await sql`update shipments set ${sql.ref(column)} = ${other} where shipment_uid = ${shipmentUid}`.execute(store)
}

test('callbacks that were given up and suggestions of a removed tenant are purged', async () => {
  const databaseUrl = await temporaryStore()
  const world = await start(databaseUrl)
  const { store } = world.service
  await fillOutbox(store, { tenantId: 'globex', shipments: 2, messages: 2 })
  const first = await store.selectFrom('outbox').select('seq').where('waits_for', 'is', null).orderBy('seq').execute()
  const [dead] = first
  await store
    .updateTable('outbox')
    .set({ dead_since: Date.now() - 2 * day })
    .where('seq', '=', dead?.seq ?? 0)
    .execute()
  const left = () => store.selectFrom('outbox').select(['waits_for']).orderBy('seq').execute()
  await expect.poll(async () => (await left()).length).toBe(3)
  // The one behind it is the first of its shipment now.
  expect((await left()).filter(({ waits_for }) => waits_for === null)).toHaveLength(2)

  await upload(world.service, 'people.csv', csv([{ EmailAddress: 'ada@home.example' }]))
  await upload(world.service, 'people.csv', csv([{ EmailAddress: 'ben@home.example' }]), { client: 'globex' })
  const registry = await openClientRegistry(databaseUrl)
  onTestFinished(() => registry.close())
  await registry.disable({ tenantId: 'globex' })
  await registry.remove({ tenantId: 'globex' })
  const emails = () => store.selectFrom('suggestions').select('email').execute()
  await expect.poll(emails).toEqual([{ email: 'ada@home.example' }])
  const words = () => store.selectFrom('suggestion_words').select('word').execute()
  await expect.poll(async () => JSON.stringify(await words())).not.toContain('ben@')
  expect((await words()).length).toBeGreaterThan(0)
})
