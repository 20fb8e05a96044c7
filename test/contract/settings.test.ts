import { expect, test } from 'vitest'
import {
  drivenServiceVariables,
  environmentVariable,
  readDrivenService,
  readVariables,
  SettingsError,
  uidSignatureVariable,
} from '#contract/settings'
import { fullProfile } from '#contract/terms'

test('a variable that is unset or empty has its default', () => {
  expect(readVariables({ LOCKERFLOW_BASE_URL: '' }, drivenServiceVariables)).toMatchObject({
    LOCKERFLOW_BASE_URL: 'http://127.0.0.1:8080',
    LOCKERFLOW_CLIENT_ID: undefined,
    LOCKERFLOW_SERVICE_PROFILE: fullProfile,
  })
})

test.each([
  [
    { LOCKERFLOW_BASE_URL: 'locker' },
    'LOCKERFLOW_BASE_URL: must be an http or https address. Example: LOCKERFLOW_BASE_URL=http://127.0.0.1:8080',
  ],
  [
    { LOCKERFLOW_SERVICE_PROFILE: 'reads,writes' },
    'LOCKERFLOW_SERVICE_PROFILE: must be a list of reads, reads-by-case',
  ],
  [{ LOCKERFLOW_CALLBACK_HMAC: 'algorithm=md5' }, 'LOCKERFLOW_CALLBACK_HMAC: must list header, algorithm'],
])('%o stops the process with one message', (source, message) => {
  const read = () => readVariables(source, { ...drivenServiceVariables, ...uidSignatureVariable })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(message)
})

test('a service that filters by case can be read', () => {
  const { LOCKERFLOW_SERVICE_PROFILE: profile } = readVariables(
    { LOCKERFLOW_SERVICE_PROFILE: 'reads-by-case' },
    drivenServiceVariables,
  )
  expect(profile).toEqual({ reads: true, readsByCase: true, idempotent: false, standardWebhooks: false })
})

test('the scheme of the uid signature is parsed part by part', () => {
  const source = { LOCKERFLOW_CALLBACK_HMAC: 'header=X-Sign; encoding=base64' }
  expect(readVariables(source, uidSignatureVariable).LOCKERFLOW_CALLBACK_HMAC).toEqual({
    header: 'x-sign',
    algorithm: 'sha256',
    encoding: 'base64',
  })
})

const driven = { ...drivenServiceVariables, ...environmentVariable }

test('staging has the credentials of the demonstration client', () => {
  expect(readDrivenService(readVariables({}, driven))).toMatchObject({ clientId: 'acme', clientSecret: 'acme-secret' })
})

test.each(['LOCKERFLOW_CLIENT_ID', 'LOCKERFLOW_CLIENT_SECRET'])('production has no default for %s', missing => {
  const given = { LOCKERFLOW_CLIENT_ID: 'a', LOCKERFLOW_CLIENT_SECRET: 'b', LOCKERFLOW_ENVIRONMENT: 'production' }
  expect(() => readDrivenService(readVariables({ ...given, [missing]: '' }, driven))).toThrow(`${missing}: is missing`)
})
