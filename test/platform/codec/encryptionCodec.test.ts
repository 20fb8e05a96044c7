import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { expect, test } from 'vitest'
import { createEncryptionCodec } from '../../../platform/codec/dataConverter.ts'
import { newKey, ringOf } from '../../support/codec/keys.ts'
import { textOf } from '../../support/codec/payloads.ts'

const [old, current] = [newKey('old'), newKey('current')]
const codec = createEncryptionCodec(ringOf(current, old))
const value = { name: 'Robin', shipments: [1, 2], nothing: null }
const payload = defaultPayloadConverter.toPayload(value)

async function encrypted(keys = current): Promise<Payload> {
  const [result] = await createEncryptionCodec(ringOf(keys)).encode([payload])
  if (result === undefined) throw new Error('no payload')
  return result
}

async function decoded(...payloads: Payload[]): Promise<unknown[]> {
  return (await codec.decode(payloads)).map(each => defaultPayloadConverter.fromPayload(each))
}

test('an encrypted payload has the documented form: encoding, key id, nonce, ciphertext and tag', async () => {
  const { metadata, data } = await encrypted()
  expect(Object.keys(metadata ?? {})).toEqual(['encoding', 'encryption-key-id'])
  expect(textOf(metadata?.encoding)).toBe('binary/encrypted')
  expect(textOf(metadata?.['encryption-key-id'])).toBe('current')
  // Twelve bytes of nonce and sixteen of tag, around as many bytes as the plain message has.
  expect(data?.length).toBeGreaterThan(12 + 16 + (payload.data?.length ?? 0))
  expect(Buffer.from(data ?? []).includes('Robin')).toBe(false)
})

test('the same value is encrypted differently each time', async () => {
  expect((await encrypted()).data).not.toEqual((await encrypted()).data)
})

test('payloads of every key of the ring are decrypted, and unencrypted ones passed on', async () => {
  expect(await decoded(await encrypted(), await encrypted(old), payload)).toEqual([value, value, value])
})

test('without a current key payloads are written as they are, and encrypted ones stay readable', async () => {
  const off = createEncryptionCodec({ ...ringOf(old), current: undefined })
  expect(await off.encode([payload])).toEqual([payload])
  expect((await off.decode([await encrypted(old)])).map(each => defaultPayloadConverter.fromPayload(each))).toEqual([
    value,
  ])
})

test.each([
  ['a key that is missing', () => encrypted(newKey('lost')), 'LOCKERFLOW_CODEC_KEYS: must contain the key lost, '],
  [
    'another key of the same id',
    () => encrypted(newKey('current')),
    'LOCKERFLOW_CODEC_KEYS: must contain the key current that encrypted a payload, but its key current is another one.',
  ],
  ['changed bytes', () => changed(40), 'its key current is another one'],
  ['a changed tag', () => changed(-1), 'its key current is another one'],
  ['too few bytes', async () => ({ ...(await encrypted()), data: new Uint8Array(27) }), 'is another one'],
])('a payload with %s is an error that names the setting', async (_, make, message) => {
  await expect(decoded(await make())).rejects.toThrow(message)
})

test('an error quotes the beginning of a long id, which a caller of the codec server chooses', async () => {
  const { metadata, data } = await encrypted()
  const long = { metadata: { ...metadata, 'encryption-key-id': Buffer.alloc(100_000, 'x') }, data: data ?? null }
  const error = await decoded(long).catch(String)
  expect(error).toContain(`must contain the key ${'x'.repeat(100)},`)
})

async function changed(at: number): Promise<Payload> {
  const { metadata, data } = await encrypted()
  const bytes = Buffer.from(data ?? [])
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return { metadata: metadata ?? {}, data: bytes }
}
