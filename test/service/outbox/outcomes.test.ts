import { setTimeout as pause } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDeletion, type OutboxMessage } from '../../../service/outbox/claims.ts'
import { createFailures } from '../../../service/outbox/failures.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const day = 86_400_000

let world: ServiceWorld
beforeAll(async () => {
  // Nothing else delivers.
  world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: day } } })
  return () => world.stop()
})

beforeEach(async () => {
  await world.service.store.deleteFrom('outbox').execute()
})

async function messages(count: number): Promise<OutboxMessage[]> {
  await fillOutbox(world.service.store, { tenantId: 'acme', shipments: count })
  return world.service.store.selectFrom('outbox').selectAll().orderBy('seq').execute()
}

function left(): Promise<OutboxMessage[]> {
  return world.service.store.selectFrom('outbox').selectAll().orderBy('seq').execute()
}

test('callbacks that are delivered at the same time share a statement', async () => {
  const { store } = world.service
  let statements = 0
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const delivered = await messages(50)
  const deleteMessage = createDeletion(store.withPlugin(counter))
  await Promise.all(delivered.slice(1).map(deleteMessage))
  expect((await left()).map(({ seq }) => seq)).toEqual([delivered[0]?.seq])
  // The first may be alone. On the embedded store each has three more for its savepoint.
  expect(statements).toBeLessThanOrEqual(8)
})

test('a callback that a transaction has locked delays the deletion of no other', async () => {
  const { store } = world.service
  const [locked, other] = await messages(2)
  if (locked === undefined || other === undefined) throw new Error('no messages')
  const deleteMessage = createDeletion(store)
  // The embedded store has one writer and no such lock.
  if (!hasRowLocks(store)) return void (await Promise.all([deleteMessage(locked), deleteMessage(other)]))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const holding = store.transaction().execute(async tx => {
    await tx.selectFrom('outbox').select('seq').where('seq', '=', locked.seq).forKeyShare().execute()
    begin()
    await released
  })
  await begun
  let isDeleted = false
  const first = deleteMessage(locked).then(() => {
    isDeleted = true
  })
  await deleteMessage(other)
  expect((await left()).map(({ seq }) => seq)).toEqual([locked.seq])
  await pause(50)
  expect(isDeleted).toBe(false)
  release()
  await Promise.all([holding, first])
  await vi.waitFor(async () => expect(await left()).toEqual([]))
})

test('failures of one statement have their own backoff, and a lost lease changes nothing', async () => {
  const { store, settings } = world.service
  const [old, soon, late, lost] = await messages(4)
  if (!old || !soon || !late || !lost) throw new Error('no messages')
  await store.updateTable('outbox').set({ created_at: 1 }).where('seq', '=', old.seq).execute()
  const recordFailure = createFailures({ store, clock: settings.clock, maxAge: day })
  const failed = [
    { message: old, version: 3, retryInMs: 1_000 },
    { message: soon, version: 3, retryInMs: 1_000 },
    { message: late, version: 4, retryInMs: 61_000 },
    { message: { ...lost, lease_expires_at: 7 }, version: 3, retryInMs: 1_000 },
  ]
  expect(await Promise.all(failed.map(recordFailure))).toEqual([true, false, false, false])
  const [oldNow, soonNow, lateNow, lostNow] = await left()
  expect(oldNow?.dead_since).not.toBeNull()
  expect(soonNow).toMatchObject({ attempts: 1, attempted_version: 3, dead_since: null, lease_expires_at: 0 })
  expect(lateNow).toMatchObject({ attempts: 1, attempted_version: 4, dead_since: null })
  expect((lateNow?.next_attempt_at ?? 0) - (soonNow?.next_attempt_at ?? 0)).toBeGreaterThan(59_000)
  expect(lostNow).toEqual(lost)
})
