import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { Call } from '../../../service/call.ts'
import { inTransaction, type StoreTransaction } from '../../../service/store/index.ts'
import { readTime } from '../../../service/store/locks.ts'
import { activateUpload, openUnnamedFile, stageUpload, sweepUploads } from '../../../service/suggestions/index.ts'
import { insertWords } from '../../../service/suggestions/staging.ts'
import { eventually } from '../../support/eventually.ts'
import { countWaits } from '../../support/service/heldWrites.ts'
import { cheapUploads } from '../../support/service/longUploads.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const hour = 3_600_000
const onPostgres = inject('postgres') !== undefined

let world: ServiceWorld
beforeEach(async () => {
  world = await createWorld()
  await upload(world.service, 'first.csv', csv([{ EmailAddress: 'ada@home.example' }]))
})
afterEach(() => world.stop())

/** Stages an upload of one row, whose time ends after these milliseconds. */
async function stage(uploadId: string, remaining: number): Promise<void> {
  const { store } = world.service
  const staged = { upload_id: uploadId, tenant_id: 'acme', active: 0, reference: null, created_at: 0 } as const
  const email = `${uploadId}@home.example`
  const expires_at = (await readTime(store)) + remaining
  await store
    .insertInto('suggestion_uploads')
    .values({ ...staged, expires_at })
    .execute()
  await store
    .insertInto('suggestions')
    .values({ upload_id: uploadId, email_key: email, position: 0, email, search_key: `\n${email}` })
    .execute()
  await store.insertInto('suggestion_words').values({ upload_id: uploadId, word: email, position: 0 }).execute()
}

function activate(tx: StoreTransaction, uploadId: string) {
  const comparison = { previousId: '', existedCount: 0 }
  const staged = { uploadId, fileName: 'b.csv', lineCount: 1, errorCount: 0, errorLogs: [], comparison }
  return activateUpload({ tx, tenantId: 'acme' } as Call, staged, 'b.csv')
}

const activateNow = (uploadId: string) => inTransaction(world.service.store, tx => activate(tx, uploadId))

async function sweep(pause?: () => Promise<void>): Promise<number> {
  const { store } = world.service
  return sweepUploads(store, await readTime(store), pause && { pause })
}

async function listed(): Promise<string[]> {
  const { items } = await world.call('GetAccountSuggestions', {})
  return items.map(({ emailAddress }) => emailAddress)
}

const uploadIds = async () =>
  (await world.service.store.selectFrom('suggestion_uploads').select('upload_id').execute()).map(row => row.upload_id)

test('an upload whose rows are being deleted is not activated, and the previous one stays', async () => {
  await stage('late', -1)
  const refusals: unknown[] = []
  await sweep(async () => void (await activateNow('late').catch(error => refusals.push(error))))
  expect(await listed()).toEqual(['ada@home.example'])
  expect(refusals[0]).toMatchObject({ code: 'Unavailable' })
})

test('an upload that was deleted is not activated, and the previous one stays', async () => {
  await stage('late', -1)
  expect(await sweep()).toBe(1)
  await expect(activateNow('late')).rejects.toMatchObject({ code: 'Unavailable' })
  expect(await listed()).toEqual(['ada@home.example'])
})

test('an upload that was deleted between two of its slices leaves no words', async () => {
  const { store } = world.service
  await using handle = await openUnnamedFile()
  await handle.writeFile(csv([{ EmailAddress: 'eve@home.example' }]))
  const { size } = await handle.stat()
  const file = { name: 'late.csv', handle, size }
  let slices = 0
  const pause = async () => {
    // The first slice has the row, and the second one its words.
    if (++slices === 2) expect(await sweep()).toBe(1)
  }
  const { signal } = new AbortController()
  const now = await readTime(store)
  const staging = { store, tenantId: 'acme', file, limits: cheapUploads, lifetime: -1, now, signal, pause }
  await expect(stageUpload(staging)).rejects.toMatchObject({ code: 'Unavailable' })
  expect(slices).toBe(2)
  const words = store.selectFrom('suggestion_words').select('upload_id').distinct()
  expect((await words.execute()).map(row => row.upload_id)).toEqual(await uploadIds())
})

test.runIf(onPostgres)('a deletion waits for the words that an upload inserts', async () => {
  await stage('late', -1)
  const { store } = world.service
  const tx = await store.startTransaction().execute()
  await insertWords(tx, 'late', Buffer.from(JSON.stringify([['eve', 0]])))
  const sweeping = sweep()
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  await tx.commit().execute()
  expect(await sweeping).toBe(1)
  const words = store.selectFrom('suggestion_words').select('upload_id').distinct()
  expect((await words.execute()).map(row => row.upload_id)).toEqual(await uploadIds())
})

test('an expired upload that is activated before its deletion begins keeps its rows', async () => {
  for (const uploadId of ['one', 'two']) await stage(uploadId, -1)
  // The sweep has found both, and deletes one of them first.
  let rest: string | undefined
  const swept = await sweep(async () => {
    if (rest !== undefined) return
    const { store } = world.service
    const claimed = await store
      .selectFrom('suggestion_uploads')
      .select('upload_id')
      .where('expires_at', '<', 0)
      .executeTakeFirst()
    rest = claimed?.upload_id === 'one' ? 'two' : 'one'
    await activateNow(rest)
  })
  expect(await listed()).toEqual([`${rest}@home.example`])
  expect(swept).toBe(1)
})

test.runIf(onPostgres)('a sweep waits for the activation of an expired upload, and leaves its rows', async () => {
  await stage('late', -1)
  const { store } = world.service
  const tx = await store.startTransaction().execute()
  await activate(tx, 'late')
  const sweeping = sweep()
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  await tx.commit().execute()
  expect(await sweeping).toBe(0)
  expect(await listed()).toEqual(['late@home.example'])
})

test('an upload deletes the expired ones of its tenant only', async () => {
  await stage('expired', -1)
  await upload(world.service, 'theirs.csv', csv([{ EmailAddress: 'ben@home.example' }]), { client: 'globex' })
  expect(await uploadIds()).toContain('expired')
  await upload(world.service, 'second.csv', csv([{ EmailAddress: 'cy@home.example' }]))
  expect(await uploadIds()).not.toContain('expired')
})

test.runIf(onPostgres).each([2, -2])('a process whose clock is %i h ahead of PostgreSQL uses its time', async hours => {
  const { store } = world.service
  await stage('staged', hours > 0 ? hour : -hour)
  const machine = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => machine() + hours * hour)
  onTestFinished(() => void vi.restoreAllMocks())
  await upload(world.service, 'second.csv', csv([{ EmailAddress: 'cy@home.example' }]))
  expect((await uploadIds()).includes('staged')).toBe(hours > 0)
  const active = await store
    .selectFrom('suggestion_uploads')
    .select('expires_at')
    .where('tenant_id', '=', 'acme')
    .where('active', '=', 1)
    .executeTakeFirstOrThrow()
  // The time for which a staged upload stays is one hour.
  expect(Math.abs(active.expires_at - machine() - hour)).toBeLessThan(hour / 2)
})
