import { describe, expect, onTestFinished, test } from 'vitest'
import { checkWebhookSignature, isValidUidSignature, type UidSignatureScheme } from '#contract'
import type { Settings } from '#service'
import { type Received, type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const key = 'the-first-key-of-acme'
const nextKey = 'the-second-key-of-acme'
const day = 86_400_000

test('HMAC (SPEC-90): the uid signature and the Standard Webhooks signature are valid with this key only', async () => {
  const { world, receiver } = await start()
  await register(world, receiver, { authType: 'HMAC', authKey: key })
  const callback = await nextCallback(world, receiver)
  expect(webhookHolds(callback, key)).toBe(true)
  expect(hasValidUidSignature(callback, key)).toBe(true)
  expect(webhookHolds(callback, nextKey)).toBe(false)
  expect(hasValidUidSignature(callback, nextKey)).toBe(false)
  expect(callback.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(callback.headers['x-api-key']).toBeUndefined()
})

test('HMAC with a generated key', async () => {
  const { world, receiver } = await start()
  const { authKey } = await register(world, receiver, { authType: 'HMAC' })
  const callback = await nextCallback(world, receiver)
  expect(webhookHolds(callback, authKey ?? '')).toBe(true)
  expect(hasValidUidSignature(callback, authKey ?? '')).toBe(true)
})

test('ApiKey: the key itself, and the Standard Webhooks signature', async () => {
  const { world, receiver } = await start()
  await register(world, receiver, { authType: 'ApiKey', authKey: key })
  const callback = await nextCallback(world, receiver)
  expect(callback.headers['x-api-key']).toBe(key)
  expect(callback.headers['x-hmac']).toBeUndefined()
  expect(webhookHolds(callback, key)).toBe(true)
})

describe('None', () => {
  test('without a key: id and time, but no signature', async () => {
    const { world, receiver } = await start()
    await register(world, receiver, { authType: 'None' })
    const { headers } = await nextCallback(world, receiver)
    expect(Object.keys(headers).filter(name => /^(x-|webhook-)/.test(name))).toEqual([
      'webhook-id',
      'webhook-timestamp',
    ])
    expect(headers['webhook-id']).toMatch(/^msg_/)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('after HMAC: the key signs no longer', async () => {
    const { world, receiver } = await start()
    await register(world, receiver, { authType: 'HMAC', authKey: key })
    await register(world, receiver, { authType: 'None' })
    const { headers } = await nextCallback(world, receiver)
    expect(headers['webhook-signature']).toBeUndefined()
  })

  test('with a key: the Standard Webhooks signature only', async () => {
    const { world, receiver } = await start()
    await register(world, receiver, { authType: 'None', authKey: key })
    const callback = await nextCallback(world, receiver)
    expect(webhookHolds(callback, key)).toBe(true)
    expect(callback.headers['x-hmac']).toBeUndefined()
  })
})

test('for 24 hours after a change of the key both keys sign, and the uid signature uses the new one', async () => {
  const { world, receiver } = await start()
  await register(world, receiver, { authType: 'HMAC', authKey: key })
  await register(world, receiver, { authType: 'HMAC', authKey: nextKey, resetKey: true })
  const rotating = await nextCallback(world, receiver)
  expect(webhookHolds(rotating, key)).toBe(true)
  expect(webhookHolds(rotating, nextKey)).toBe(true)
  expect(hasValidUidSignature(rotating, nextKey)).toBe(true)
  expect(hasValidUidSignature(rotating, key)).toBe(false)

  world.service.advance(day)
  const rotated = await nextCallback(world, receiver)
  expect(webhookHolds(rotated, key, day)).toBe(false)
  expect(webhookHolds(rotated, nextKey, day)).toBe(true)
})

test('the scheme of the uid signature is a setting', async () => {
  const uidSignatureScheme: UidSignatureScheme = { header: 'x-signature', algorithm: 'sha512', encoding: 'base64' }
  const { world, receiver } = await start({ uidSignatureScheme })
  await register(world, receiver, { authType: 'HMAC', authKey: key })
  const { headers, message } = await nextCallback(world, receiver)
  expect(isValidUidSignature([key], message.shipmentUid, String(headers['x-signature']), uidSignatureScheme)).toBe(true)
  expect(headers['x-hmac']).toBeUndefined()
})

async function start(overrides: Partial<Settings> = {}): Promise<{ world: ServiceWorld; receiver: Receiver }> {
  const world = await createWorld({ service: overrides })
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  return { world, receiver }
}

function register(
  world: ServiceWorld,
  { url }: Receiver,
  ask: { authType: 'None' | 'HMAC' | 'ApiKey'; authKey?: string; resetKey?: boolean },
) {
  return world.call('ConfigureCallback', { url, ...ask })
}

async function nextCallback(world: ServiceWorld, receiver: Receiver): Promise<Received> {
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
  const [callback] = await receiver.until(1, shipmentUids[0])
  return callback as Received
}

function webhookHolds({ headers, body }: Received, by: string, ahead = 0): boolean {
  return checkWebhookSignature([by], headers, body, Math.floor((Date.now() + ahead) / 1_000)) === undefined
}

function hasValidUidSignature({ headers, message }: Received, by: string): boolean {
  return isValidUidSignature([by], message.shipmentUid, headers['x-hmac'] as string | undefined)
}
