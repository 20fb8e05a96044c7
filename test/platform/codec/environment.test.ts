import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPayloadConverter } from '@temporalio/common'
import { expect, test } from 'vitest'
import { CodecError, codecVariables, forgetPerson, readCodecKeys, readDataConverter } from '#platform/codec'
import { SettingsError } from '#platform/settings'
import { newKey } from '../../support/codec/keys.ts'

const keys = `${newKey('b')},${newKey('a')}`
const example = codecVariables.LOCKERFLOW_CODEC_KEYS.example
const production = { LOCKERFLOW_ENVIRONMENT: 'production' }

test.each([
  ['staging without keys', {}, { current: undefined, ids: [] }],
  ['staging with keys', { LOCKERFLOW_CODEC_KEYS: keys }, { current: 'b', ids: ['b', 'a'] }],
  ['staging with the example', { LOCKERFLOW_CODEC_KEYS: example }, { current: '2026-11', ids: ['2026-11'] }],
  [
    'keys, switched off',
    { LOCKERFLOW_CODEC_KEYS: keys, LOCKERFLOW_CODEC: 'off' },
    { current: undefined, ids: ['b', 'a'] },
  ],
  ['production with keys', { ...production, LOCKERFLOW_CODEC_KEYS: keys }, { current: 'b', ids: ['b', 'a'] }],
  ['production, switched off', { ...production, LOCKERFLOW_CODEC: 'off' }, { current: undefined, ids: [] }],
])('the ring in %s', (_, source, expected) => {
  const ring = readCodecKeys(source)
  expect({ current: ring.current?.id, ids: [...ring.keys.keys()] }).toEqual(expected)
})

test('keys are read from a file with a line for each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-codec-'))
  const file = join(folder, 'keys')
  writeFileSync(file, `${keys.replace(',', '\n')}\n`)
  expect([...readCodecKeys({ LOCKERFLOW_CODEC_KEYS_FILE: file }).keys.keys()]).toEqual(['b', 'a'])
  rmSync(folder, { recursive: true })
})

test.each([
  ['production without keys', production, 'LOCKERFLOW_CODEC_KEYS: is missing, and production encrypts histories.'],
  [
    'on without keys',
    { LOCKERFLOW_CODEC: 'on' },
    'LOCKERFLOW_CODEC_KEYS: is missing, although LOCKERFLOW_CODEC is on.',
  ],
  ['production with the example', { ...production, LOCKERFLOW_CODEC_KEYS: example }, 'must be a secret of your own'],
  [
    'production with a key of zeros',
    { ...production, LOCKERFLOW_CODEC_KEYS: `2026-12:${Buffer.alloc(32).toString('base64')},${keys}` },
    'LOCKERFLOW_CODEC_KEYS: must be a secret of your own',
  ],
  ['neither on nor off', { LOCKERFLOW_CODEC: 'maybe' }, 'LOCKERFLOW_CODEC: must be on or off.'],
  ['wrong keys', { LOCKERFLOW_CODEC_KEYS: 'a:b' }, 'LOCKERFLOW_CODEC_KEYS: must list keys as id:key'],
])('%s is refused', (_, source, message) => {
  expect(() => readCodecKeys(source)).toThrow(SettingsError)
  expect(() => readCodecKeys(source)).toThrow(message)
})

test('a worker in production needs a store of personal keys, or off', () => {
  const source = { ...production, LOCKERFLOW_CODEC_KEYS: keys }
  const read = (more: Record<string, string> = {}) => readDataConverter({ ...source, ...more }, true)
  expect(() => read()).toThrow('LOCKERFLOW_PERSONAL_KEYS_URL: is missing')
  expect(() => read({ LOCKERFLOW_PERSONAL_KEYS_URL: 'somewhere' })).toThrow('must be a postgres:// or file: address')
  for (const url of ['postgres://a:secret-text@127.0.0.1:99999/c', 'postgres://a:secret/text@b/c'])
    expect(() => read({ LOCKERFLOW_PERSONAL_KEYS_URL: url })).toThrow('LOCKERFLOW_PERSONAL_KEYS_URL: must be a URL')
  for (const url of ['file:keys#1.db', 'file:/keys.db?1', 'file:100%'])
    expect(() => read({ LOCKERFLOW_PERSONAL_KEYS_URL: url })).toThrow(
      'LOCKERFLOW_PERSONAL_KEYS_URL: must be a file: URL',
    )
  for (const url of ['off', 'postgres://a:of-our-own@127.0.0.1:1/c'])
    expect(() => read({ LOCKERFLOW_PERSONAL_KEYS_URL: url })).not.toThrow()
  expect(() => read({ LOCKERFLOW_CODEC: 'off' })).not.toThrow()
  expect(() => readDataConverter(source)).not.toThrow()
})

test('without a word on the store, personal fields are not encrypted, and the error has no value of them', async () => {
  const source = { LOCKERFLOW_CODEC_KEYS: keys }
  const encode = async (more: Record<string, string>, value: unknown, required = false) => {
    let payloads = [defaultPayloadConverter.toPayload(value)]
    for (const codec of readDataConverter({ ...source, ...more }, required).payloadCodecs ?? [])
      payloads = await codec.encode(payloads)
    return payloads.map(({ metadata }) => Buffer.from(metadata?.encoding ?? []).toString())
  }
  const person = { request: { FirstName: 'Kimberly', pickUpPointUid: 'p' } }
  for (const required of [false, true]) {
    const refused = await encode({}, person, required).catch((error: Error) => error)
    expect(refused).toBeInstanceOf(CodecError)
    expect(String(refused)).toContain(
      'LOCKERFLOW_PERSONAL_KEYS_URL: must be set, or be off, to encrypt the personal field FirstName.',
    )
    expect(String(refused)).not.toContain('Kimberly')
    expect(await encode({}, { caseNo: 'C-1' }, required)).toEqual(['binary/encrypted'])
    expect(await encode({ LOCKERFLOW_PERSONAL_KEYS_URL: 'off' }, person, required)).toEqual(['binary/encrypted'])
    expect(await encode({ LOCKERFLOW_CODEC: 'off' }, person, required)).toEqual(['json/plain'])
  }
  expect(await encode({ LOCKERFLOW_CODEC_KEYS: '' }, person)).toEqual(['json/plain'])
})

test('the store of personal keys follows the settings of TLS', () => {
  const url = 'postgres://keys:private-secret@db.example/keys'
  const read = (more: Record<string, string>) => () =>
    readDataConverter({ ...production, LOCKERFLOW_CODEC_KEYS: keys, ...more }, true)
  const weak = { LOCKERFLOW_PERSONAL_KEYS_URL: `${url}?sslmode=no-verify` }
  expect(read(weak)).toThrow(
    /^LOCKERFLOW_PERSONAL_KEYS_URL: must not contain sslmode, .*LOCKERFLOW_DATABASE_TLS=optional/,
  )
  expect(read(weak)).not.toThrow('private-secret')
  expect(read({ ...weak, LOCKERFLOW_DATABASE_TLS: 'optional' })).not.toThrow()
  expect(read({ LOCKERFLOW_PERSONAL_KEYS_URL: url, LOCKERFLOW_DATABASE_CA: '/nowhere/ca.pem' })).toThrow(
    'LOCKERFLOW_DATABASE_CA: must be a file',
  )
})

test('forgetting needs a store', async () => {
  await expect(forgetPerson('u', { LOCKERFLOW_CODEC_KEYS: keys })).rejects.toThrow(
    'LOCKERFLOW_PERSONAL_KEYS_URL: must name',
  )
})
