import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { expectFairShare, repeatUntil } from '../../support/service/fairness.ts'
import { longUploads } from '../../support/service/longUploads.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const lines = 100_000
/** Milliseconds: caller and service share a thread here. Reading every suggestion would take longer. */
const floor = 600
/** Every suggestion has each of these words, so none of them narrows a search. */
const worstWords = 'person perso pers per pe p home h'
const booking = {
  PupUid: 'shared',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 5, height: 5, length: 5 },
}

async function start(): Promise<ServiceWorld> {
  const world = await createWorld({ service: { uploadLimits: longUploads } })
  onTestFinished(() => world.stop())
  return world
}

/** Creates and cancels a booking of globex. Calls that overlap in a standstill may find all lockers booked. */
async function createAndCancel({ call }: ServiceWorld): Promise<void> {
  const { error, shipmentUids } = await call('CreateLocalShipmentAsStock', booking, 'globex')
  if (error === 'NoLockerAvailable') return
  const { success } = await call('CancelShipment', { shipmentUid: shipmentUids[0] ?? '' }, 'globex')
  expect(success).toBe(true)
}

/** Stores an active upload of acme, which takes a tenth of the time of uploading it. */
async function storeUpload({ service: { store } }: ServiceWorld): Promise<void> {
  await store
    .insertInto('suggestion_uploads')
    .values({ upload_id: 'u', tenant_id: 'acme', active: 1, expires_at: 0, created_at: 0, line_count: lines })
    .execute()
  const numbers = sql`with recursive n (i) as (select 0 union all select i + 1 from n where i < ${sql.lit(lines - 1)})`
  const email = sql`'person.' || i || '@home.example'`
  await sql`insert into suggestions (upload_id, email_key, position, email, search_key)
    ${numbers} select 'u', ${email}, i, ${email}, ${'\n'} || ${email} || ${'\nhome.example'} from n
  `.execute(store)
  for (const word of [email, sql`'home.example'`]) {
    await sql`insert into suggestion_words (upload_id, word, position) ${numbers} select 'u', ${word}, i from n`.execute(
      store,
    )
  }
}

test('searches with the worst words leave the other tenant its share', async () => {
  const world = await start()
  await storeUpload(world)
  const search = () => world.call('GetAccountSuggestions', { searchText: worstWords })
  expect(await search()).toMatchObject({ success: true, totalItems: 2_000 })
  const worst = (signal: AbortSignal) => repeatUntil(signal, 3, search)
  await expectFairShare({ quiet: () => createAndCancel(world), worst, seconds: 1.5, floor })
})

test('uploads of large files and large parts leave the other tenant its share', async () => {
  const world = await start()
  const large = csv(Array.from({ length: 8_000 }, (_, row) => ({ EmailAddress: `person.${row}@home.example` })))
  const data = `{"other":"${'x'.repeat(1_000_000)}"}`
  async function worst(signal: AbortSignal): Promise<void> {
    const statuses = new Set<number>()
    const send = (part: string) => async () => {
      const { status } = await upload(world.service, 'a.csv', large, { data: part, signal })
      statuses.add(status)
    }
    const loops = [repeatUntil(signal, 3, send('{}')), repeatUntil(signal, 1, send(data))]
    await Promise.all(loops).catch(error => {
      if (!signal.aborted) throw error
    })
    expect([...statuses].filter(status => status !== 200)).toEqual(statuses.has(413) ? [413] : [])
  }
  await expectFairShare({ quiet: () => createAndCancel(world), worst, seconds: 1.5, floor })

  const controller = new AbortController()
  const load = worst(controller.signal)
  for (const _ of [1, 2]) {
    const { status } = await upload(world.service, 'b.csv', csv([{ EmailAddress: 'ben@home.example' }]), {
      client: 'globex',
    })
    expect(status).toBe(200)
  }
  controller.abort()
  await load
})
