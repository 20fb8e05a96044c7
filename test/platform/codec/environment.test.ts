import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codecVariables, readCodecKeys } from '#platform/codec'
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
