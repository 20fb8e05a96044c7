import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from '#service'
import { createRunOnce, storeResponse } from '../../../service/http/idempotency.ts'
import { inTransaction } from '../../../service/store/index.ts'
import { holdStore } from '../../support/service/blockedRequests.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { type CallOptions, startTestService, type TestService } from '../../support/service/testService.ts'

const dayInMilliseconds = 86_400_000

const request = {
  PupUid: 'pup-2',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

let service: TestService
beforeEach(async () => {
  service = await startTestService()
})
afterEach(() => service.stop())

const withKey = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } })

/** Books; `pup-2` has one locker, so a second booking is refused. */
const book = (key: string, body: object = request, options: CallOptions = {}, at = service) =>
  at.call('CreateLocalShipmentAsStock', body, { ...options, ...withKey(key) })

const shipments = async () => (await service.store.selectFrom('shipments').select('shipment_uid').execute()).length

test('the same key and body get the same response, and one shipment', async () => {
  const first = await book('k')
  const again = await book('k')
  expect(first.body.success).toBe(true)
  expect(again.text).toBe(first.text)
  expect(again.status).toBe(200)
  expect(await shipments()).toBe(1)
})

test('an equivalent body counts as the same', async () => {
  const first = await book('k')
  const { PupUid, ...rest } = request
  const again = await book('k', { ...rest, pupuid: PupUid, details: null, LockerUid: null, unknown: 1 })
  expect(again.text).toBe(first.text)
})

test('another body is refused and changes nothing', async () => {
  await book('k')
  const { status, body } = await book('k', { ...request, PupUid: 'pup-1' })
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'IdempotencyKeyReused' })
  expect(await shipments()).toBe(1)
  expect((await book('k')).body.success).toBe(true)
})

test('another operation with the same body is another request', async () => {
  const account = { emailAddress: 'a@b.example', firstName: 'A', lastName: 'B', pickUpPointUid: 'pup-1' }
  await service.call('CreateAccount', account, withKey('k'))
  const { status, body } = await service.call('CreateOrGetAccount', account, withKey('k'))
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'IdempotencyKeyReused' })
})

test('a refusal is stored like a success', async () => {
  const booked = await book('first')
  const refused = await book('second')
  expect(refused.body.error).toBe('NoLockerAvailable')
  const [shipmentUid] = booked.body.shipmentUids as string[]
  expect((await service.call('CancelShipment', { shipmentUid })).body.success).toBe(true)
  expect((await book('second')).text).toBe(refused.text)
  expect((await book('third')).body.success).toBe(true)
})

test('while the first request runs, the second one is IdempotencyKeyInUse', async () => {
  await service.token()
  const letGo = await holdStore(service)
  const both = [book('k'), book('k')]
  const early = await Promise.race(both)
  expect({ status: early.status, error: early.body.error }).toEqual({ status: 409, error: 'IdempotencyKeyInUse' })
  await letGo()
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
  expect((await book('k')).status).toBe(200)
  expect(await shipments()).toBe(1)
})

test('each API client has keys of its own', async () => {
  await book('k')
  const other = await book('k', request, { client: 'globex' })
  expect(other.body.error).toBe('InvalidPupUid')
  const own = await book('k', { ...request, PupUid: 'pup-3' }, { client: 'globex' })
  expect(own.body.error).toBe('IdempotencyKeyReused')
})

test('requests of two clients with one key run at the same time', async () => {
  await Promise.all([service.token(), service.token('globex')])
  const letGo = await holdStore(service)
  const own = [book('k'), book('k')]
  // One is refused as soon as the other one runs.
  await Promise.race(own)
  const body = { ...request, PupUid: 'pup-3' }
  const others = [book('k', body, { client: 'globex' }), book('k', body, { client: 'globex' })]
  await Promise.race(others)
  await letGo()
  for (const both of [own, others])
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('requests of one client with two keys run at the same time', async () => {
  const runOnce = createRunOnce({ store: service.store, retention: defaultSettings.retention })
  const result = { status: 200, body: '{"success":true}', errorCode: undefined }
  const about = { operation: 'CreateLocalShipmentAsStock', clientId: 'acme', now: 0 } as const
  const letGo = await holdStore(service)
  const both = ['one', 'two'].map(key =>
    runOnce({ ...about, request: request as never, headers: { 'idempotency-key': key } }, async () => result),
  )
  await letGo()
  expect(await Promise.all(both)).toEqual([result, result])
})

test('a key is free again after a day', async () => {
  await book('k')
  service.advance(dayInMilliseconds + 1)
  const token = await freshToken()
  const { status, body } = await book('k', { ...request, PupUid: 'pup-1' }, { token })
  expect({ status, error: body.error }).toEqual({ status: 200, error: null })
  expect((await book('k', { ...request, PupUid: 'pup-1' }, { token })).text).toContain(String(body.shipmentUids))
})

test('a response that has expired is replaced as a whole, with the account that it contains', async () => {
  const key = { clientId: 'acme', key: 'k', lifetime: dayInMilliseconds }
  const store = (fingerprint: string, response: { status: number; body: string; userUid?: string }, now: number) =>
    inTransaction(service.store, tx =>
      storeResponse(tx, { ...key, fingerprint }, { ...response, errorCode: undefined }, now),
    )
  await store('one', { status: 400, body: '{}', userUid: 'of-one' }, 1)
  await store('two', { status: 200, body: '{"success":true}' }, dayInMilliseconds + 1)
  expect(await service.store.selectFrom('idempotency').selectAll().execute()).toEqual([
    {
      client_id: 'acme',
      key: 'k',
      fingerprint: 'two',
      status: 200,
      body: '{"success":true}',
      created_at: dayInMilliseconds + 1,
      user_uid: null,
    },
  ])
})

describe('no response is stored', () => {
  test('of an invalid request', async () => {
    expect((await book('k', { ...request, PupUid: 7 })).status).toBe(400)
    expect((await book('k')).status).toBe(200)
  })

  test('of a failure', async () => {
    const databaseUrl = await temporaryStore()
    const own = await startTestService({ databaseUrl, lockTimeout: 20 })
    onTestFinished(() => own.stop())
    await own.token()
    const other = await startTestService({ databaseUrl })
    onTestFinished(() => other.stop())
    const letGo = await holdStore(other)
    expect((await book('k', request, {}, own)).status).toBe(503)
    await letGo()
    expect((await book('k', request, {}, own)).body.success).toBe(true)
  })

  test.each([429, 500, 503])('of a %i', async status => {
    const idempotency = { clientId: 'acme', key: 'k', fingerprint: 'f', lifetime: dayInMilliseconds }
    const outcome = { status, body: '{}', errorCode: undefined }
    await inTransaction(service.store, tx => storeResponse(tx, idempotency, outcome, Date.now()))
    expect(await service.store.selectFrom('idempotency').selectAll().execute()).toEqual([])
  })

  test('of operations that create nothing', async () => {
    const read = (pageNo: number) => service.call('GetShipments', { pageNo }, withKey('k'))
    expect([(await read(1)).status, (await read(2)).status]).toEqual([200, 200])
  })
})

test('a response that cannot be stored rolls the booking back', async () => {
  await service.token()
  await service.store.schema.dropTable('idempotency').execute()
  expect((await book('k')).status).toBe(500)
  expect(await shipments()).toBe(0)
  const lockers = await service.store.selectFrom('lockers').select('name').where('booked', '=', 1).execute()
  expect(lockers).toEqual([])
})

test.each([
  ['', 400],
  ['k'.repeat(255), 200],
  ['k'.repeat(256), 400],
])('a key has 1 to 255 characters: %s', async (key, status) => {
  expect((await book(key)).status).toBe(status)
})

async function freshToken(): Promise<string> {
  const { body } = await service.signIn({
    client_id: 'acme',
    client_secret: 'acme-secret',
    grant_type: 'client_credentials',
  })
  return String(body.access_token)
}
