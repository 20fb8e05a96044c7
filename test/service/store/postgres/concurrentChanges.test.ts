import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openClientRegistry, openPersons } from '#service'
import { loadStagingKeys, openSecrets } from '../../../../service/encryption/index.ts'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { startReceiver } from '../../../support/servers/callbackReceiver.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { countWaits } from '../../../support/service/heldWrites.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'
import { booking } from '../../../support/service/topology.ts'

const person = { firstName: 'A', lastName: 'B', emailAddress: 'same@home.example', pickUpPointUid: 'square' }

test('flags set concurrently at several processes are all kept, for every operation that sets them', async () => {
  const [one, two, three] = await startServices(3, await temporaryStore())
  if (!one || !two || !three) throw new Error('there are no services')
  for (let round = 0; round < 6; round++) {
    const ask = { ...person, emailAddress: `user-${round}@home.example` }
    const { body } = await one.call('CreateAccount', ask)
    const flags = ['canChangeFirstName', 'canChangeLastName', 'canChangeAddress'] as const
    await Promise.all([
      one.call('CreateOrGetAccount', { ...ask, mutationConfig: { [flags[0]]: true } }),
      two.call('CreateOrGetAccount', { ...ask, mutationConfig: { [flags[1]]: true } }),
      three.call('SetAccountMutationConfig', { userUid: body.userUid, [flags[2]]: true }),
    ])
    const config = await one.call('GetAccountMutationConfig', { userUid: body.userUid })
    expect(config.body).toMatchObject(Object.fromEntries(flags.map(flag => [flag, true])))
  }
})

test('an account that is removed during CreateOrGetAccount is created again or found: never a failure', async () => {
  const [one, two] = await startServices(2, await temporaryStore())
  if (!one || !two) throw new Error('there are no services')
  for (let round = 0; round < 15; round++) {
    const { body } = await one.call('CreateOrGetAccount', person)
    const responses = await Promise.all([
      one.call('RemoveAccount', { userUid: body.userUid }),
      two.call('CreateOrGetAccount', person),
      one.call('CreateOrGetAccount', person),
    ])
    for (const response of responses) expect(response.body).toMatchObject({ success: true })
  }
})

test('the response of a request that has read an account before its erasure is stored without its data', async () => {
  const databaseUrl = await temporaryStore()
  const [service] = await startServices(1, databaseUrl)
  if (!service) throw new Error('there is no service')
  const { store } = service
  const persons = await openPersons(databaseUrl)
  onTestFinished(() => persons.close())
  const { body: created } = await service.call('CreateAccount', person)
  // The request has read and locked the account by the time at which it waits.
  const waiting = await holdKey(store, 'acme')
  const request = service.call('CreateOrGetAccount', person, { headers: { 'idempotency-key': 'same' } })
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  const erasure = persons.erase({ userUid: String(created.userUid) })
  await eventually(async () => (await countWaits(store, 'lock')) === 2)
  await waiting.rollback().execute()
  expect((await request).body).toMatchObject({ userUid: created.userUid, emailAddress: person.emailAddress })
  await erasure
  const { body } = await store.selectFrom('idempotency').select('body').executeTakeFirstOrThrow()
  expect(JSON.parse(body)).toMatchObject({ userUid: created.userUid, emailAddress: null, firstName: null })
})

test('the account of a dispatcher stays if a booking that names it is committed during the removal of the tenant', async () => {
  const databaseUrl = await temporaryStore()
  // A batch would wait for the key for 20 ms only. Between it and the transaction that follows, the account is not locked.
  const [service] = await startServices(1, databaseUrl, { batchBookings: false })
  if (!service) throw new Error('there is no service')
  const { store } = service
  const registry = await openClientRegistry(databaseUrl)
  onTestFinished(() => registry.close())
  const acme = store.selectFrom('tenants').select('dispatcher_user_uid').where('tenant_id', '=', 'acme')
  const { dispatcher_user_uid: ToUserUid } = await acme.executeTakeFirstOrThrow()
  await registry.disable({ tenantId: 'acme' })
  // The booking has locked the account and inserted its shipment by the time at which it waits.
  const waiting = await holdKey(store, 'globex')
  const request = service.call(
    'CreateLocalShipmentAsIssue',
    { ...booking, PupUid: 'shared', ToUserUid },
    { client: 'globex', headers: { 'idempotency-key': 'same' } },
  )
  await eventually(async () => (await countWaits(store, 'lock')) === 1)
  const removal = registry.remove({ tenantId: 'acme' })
  await eventually(async () => (await countWaits(store, 'lock')) === 2)
  await waiting.rollback().execute()
  expect((await request).body).toMatchObject({ success: true })
  await removal
  expect(await acme.execute()).toEqual([])
  const account = store.selectFrom('accounts').select('user_uid').where('user_uid', '=', ToUserUid)
  expect(await account.execute()).toEqual([{ user_uid: ToUserUid }])
})

/** Begins a transaction for which a request with the key `same` waits when it stores its response. */
async function holdKey(store: Store, client: string) {
  const row = {
    client_id: client,
    key: 'same',
    fingerprint: '',
    status: 200,
    body: '{}',
    created_at: 0,
    user_uid: null,
  }
  const waiting = await store.startTransaction().execute()
  await waiting.insertInto('idempotency').values(row).execute()
  return waiting
}

test('keys that are generated concurrently both sign for a day', async () => {
  const databaseUrl = await temporaryStore()
  const [one, two] = await startServices(2, databaseUrl)
  if (!one || !two) throw new Error('there are no services')
  const secrets = await openSecrets({ store: one.store, keyEncryption: loadStagingKeys(databaseUrl) })
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const reset = { url: receiver.url, authType: 'HMAC', resetKey: true }
  for (let round = 0; round < 8; round++) {
    const responses = await Promise.all([one.call('ConfigureCallback', reset), two.call('ConfigureCallback', reset)])
    const { callback_key, callback_key_previous } = await one.store
      .selectFrom('tenants')
      .selectAll()
      .where('tenant_id', '=', 'acme')
      .executeTakeFirstOrThrow()
    const given = responses.map(({ body }) => body.authKey).toSorted()
    const stored = [
      secrets.decrypt('tenants.callback_key', 'acme', callback_key ?? ''),
      secrets.decrypt('tenants.callback_key_previous', 'acme', callback_key_previous ?? ''),
    ]
    expect(stored.toSorted()).toEqual(given)
  }
})

test('a column of a newer version disturbs no request of this one, and this one can restart', async () => {
  const databaseUrl = await temporaryStore()
  const [service] = await startServices(1, databaseUrl)
  if (!service) throw new Error('there is no service')
  const book = () => service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
  for (let call = 0; call < 4; call++) expect((await book()).body.success).toBe(true)
  await sql`alter table tenants add column later text`.execute(service.store)
  await sql`alter table shipments add column later text`.execute(service.store)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(service.store)
  onTestFinished(async () => {
    const store = await openStore(databaseUrl)
    await sql`delete from kysely_migration where name = '9999-later'`.execute(store)
    await sql`alter table tenants drop column later`.execute(store)
    await sql`alter table shipments drop column later`.execute(store)
    await store.destroy()
  })
  const responses = await Promise.all(Array.from({ length: 12 }, book))
  expect(responses.map(({ body }) => body.error)).toEqual(Array.from({ length: 12 }, () => null))
  const [again] = await startServices(1, databaseUrl)
  expect((await again?.call('GetPickUpPoints', {}))?.body.success).toBe(true)
})
