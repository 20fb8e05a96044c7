import { expect, test } from 'vitest'
import { codecServerVariables } from '#gateway/codecServer'
import { readEnvironment } from '../../../gateway/codecServer/environment.ts'
import { newKey } from '../../support/codec/keys.ts'

const given = { LOCKERFLOW_CODEC_KEYS: newKey('a'), LOCKERFLOW_CODEC_USERS: 'robin:a-long-password:of-robin' }
const bearer = { LOCKERFLOW_CODEC_KEYS: newKey('a'), LOCKERFLOW_CODEC_SIGN_IN: 'bearer' }
const issuer = {
  ...bearer,
  LOCKERFLOW_CODEC_ISSUER: 'https://login.example',
  LOCKERFLOW_CODEC_AUDIENCE: 'temporal',
  LOCKERFLOW_CODEC_JWKS_URL: 'https://login.example/keys',
}

test('the settings are taken from the environment', () => {
  expect(
    readEnvironment({ ...given, TEMPORAL_NAMESPACE: 'acme', LOCKERFLOW_CODEC_ORIGINS: 'http://a, http://b' }),
  ).toMatchObject({
    host: '127.0.0.1',
    port: 8084,
    namespace: 'acme',
    signIn: { by: 'basic', users: new Map([['robin', 'a-long-password:of-robin']]) },
    origins: ['http://a', 'http://b'],
    encodes: false,
  })
  expect(readEnvironment(issuer).signIn).toMatchObject({ by: 'bearer', tokens: [], issuer: { audience: 'temporal' } })
})

test.each([
  ['no keys', { LOCKERFLOW_CODEC_USERS: given.LOCKERFLOW_CODEC_USERS }, 'LOCKERFLOW_CODEC_KEYS: is missing'],
  ['no users', { LOCKERFLOW_CODEC_KEYS: newKey('a') }, 'LOCKERFLOW_CODEC_USERS: is missing'],
  ['a short password', { ...given, LOCKERFLOW_CODEC_USERS: 'robin:short' }, 'each password 16 characters or more'],
  ['no token and no issuer', bearer, 'LOCKERFLOW_CODEC_TOKENS: is missing'],
  ['a short token', { ...bearer, LOCKERFLOW_CODEC_TOKENS: 'short' }, 'must list tokens of 24 characters or more'],
  ['an issuer without keys', { ...issuer, LOCKERFLOW_CODEC_JWKS_URL: '' }, 'LOCKERFLOW_CODEC_JWKS_URL: is missing'],
  [
    'keys over plain http in production',
    { ...issuer, LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_CODEC_JWKS_URL: 'http://login.example/keys' },
    'LOCKERFLOW_CODEC_JWKS_URL: must be https in production',
  ],
  ...['https://ui.example/', 'https://ui.example/namespaces', 'ui.example', 'https://UI.example:443', '*', 'null'].map(
    (origin): [string, Record<string, string>, string] => [
      `the origin ${origin}, which no browser sends`,
      { ...given, LOCKERFLOW_CODEC_ORIGINS: `http://a,${origin}` },
      'LOCKERFLOW_CODEC_ORIGINS: must list origins as browsers send them, without a path: https://host or https://host:port',
    ],
  ),
  [
    'the password of the documentation in production',
    {
      ...given,
      LOCKERFLOW_ENVIRONMENT: 'production',
      LOCKERFLOW_CODEC_USERS: codecServerVariables.LOCKERFLOW_CODEC_USERS.example,
    },
    'LOCKERFLOW_CODEC_USERS: must be a secret of your own',
  ],
  [
    'a password of one character in production',
    {
      ...given,
      LOCKERFLOW_ENVIRONMENT: 'production',
      LOCKERFLOW_CODEC_USERS: `${given.LOCKERFLOW_CODEC_USERS},kim:${'x'.repeat(16)}`,
    },
    'LOCKERFLOW_CODEC_USERS: must be a secret of your own',
  ],
  [
    'an address without an environment',
    { ...given, LOCKERFLOW_CODEC_HOST: '0.0.0.0' },
    'LOCKERFLOW_ENVIRONMENT: must be',
  ],
])('%s is refused', (_, source, message) => {
  expect(() => readEnvironment(source)).toThrow(message)
})

test('one message names every setting that is missing or wrong', () => {
  const source = { LOCKERFLOW_CODEC_SIGN_IN: 'bearer', LOCKERFLOW_CODEC_ISSUER: 'https://login.example' }
  const host = { LOCKERFLOW_CODEC_HOST: '0.0.0.0' }
  const names = ['CODEC_KEYS', 'CODEC_AUDIENCE', 'CODEC_JWKS_URL', 'ENVIRONMENT'].map(name => `LOCKERFLOW_${name}: `)
  for (const name of names) expect(() => readEnvironment({ ...source, ...host })).toThrow(name)
})

test('every example can be used', () => {
  // The file of the authorities is one that this machine lacks.
  const { LOCKERFLOW_DATABASE_CA: _authorities, ...variables } = codecServerVariables
  for (const { example, schema } of Object.values(variables)) expect(() => schema.parse(example)).not.toThrow()
})
