import { expect, test } from 'vitest'
import { codecServerVariables } from '#gateway/codecServer'
import { readSettings } from '../../../gateway/codecServer/settings.ts'
import { newKey } from '../../support/codec/keys.ts'

const given = { LOCKERFLOW_CODEC_KEYS: newKey('a') }

test('the settings are taken from the environment', () => {
  expect(
    readSettings({ ...given, TEMPORAL_NAMESPACE: 'acme', LOCKERFLOW_CODEC_ORIGINS: 'http://a, http://b' }),
  ).toMatchObject({
    host: '127.0.0.1',
    port: 8084,
    namespace: 'acme',
    origins: ['http://a', 'http://b'],
  })
})

test('a host other than loopback needs a proxy that signs callers in', () => {
  const hostOf = (more: Record<string, string>) =>
    readSettings({ ...given, LOCKERFLOW_ENVIRONMENT: 'production', ...more }).host
  expect(hostOf({})).toBe('127.0.0.1')
  expect(hostOf({ LOCKERFLOW_HOST: '::1' })).toBe('::1')
  for (const host of ['0.0.0.0', '10.0.0.7', 'codec.internal']) {
    const own = { LOCKERFLOW_HOST: host }
    for (const refused of [own, { ...own, LOCKERFLOW_CODEC_BEHIND_PROXY: 'false' }])
      expect(() => hostOf(refused)).toThrow(
        /^LOCKERFLOW_HOST: must be a loopback address, .* set LOCKERFLOW_CODEC_BEHIND_PROXY=true\. Example: /,
      )
    expect(hostOf({ ...own, LOCKERFLOW_CODEC_BEHIND_PROXY: 'true' })).toBe(host)
  }
})

test.each([
  ['no keys', {}, 'LOCKERFLOW_CODEC_KEYS: is missing'],
  ...['https://ui.example/', 'https://ui.example/namespaces', 'ui.example', 'https://UI.example:443', '*', 'null'].map(
    (origin): [string, Record<string, string>, string] => [
      `the origin ${origin}, which no browser sends`,
      { ...given, LOCKERFLOW_CODEC_ORIGINS: `http://a,${origin}` },
      'LOCKERFLOW_CODEC_ORIGINS: must list origins as browsers send them, without a path: https://host or https://host:port',
    ],
  ),
  ['an address without an environment', { ...given, LOCKERFLOW_HOST: '0.0.0.0' }, 'LOCKERFLOW_ENVIRONMENT: must be'],
])('%s is refused', (_, source, message) => {
  expect(() => readSettings(source)).toThrow(message)
})

test('one message names every setting that is missing or wrong', () => {
  const source = { LOCKERFLOW_HOST: '0.0.0.0', LOCKERFLOW_CODEC_PORT: 'eighty' }
  const names = ['CODEC_KEYS', 'CODEC_PORT', 'ENVIRONMENT'].map(name => `LOCKERFLOW_${name}: `)
  for (const name of names) expect(() => readSettings(source)).toThrow(name)
})

test('every example can be used', () => {
  for (const { example, schema } of Object.values(codecServerVariables))
    expect(() => schema.parse(example)).not.toThrow()
})
