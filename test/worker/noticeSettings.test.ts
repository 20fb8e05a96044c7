import { expect, test } from 'vitest'
import { SettingsFault } from '#contract/settings'
import { readEnvironment } from '../../worker/environment.ts'

const url = 'https://planning.example/notices'
const key = 'a-key-of-notices'
const production = {
  LOCKERFLOW_ENVIRONMENT: 'production',
  LOCKERFLOW_CLIENT_ID: 'a',
  LOCKERFLOW_CLIENT_SECRET: 'b',
  LOCKERFLOW_NOTICES_KEY: key,
}

test('without an address there are no notices', () => {
  expect(readEnvironment({ LOCKERFLOW_NOTICES_URL: '', LOCKERFLOW_NOTICES_KEY: '' })).not.toHaveProperty('notices')
})

test.each([
  ['in production', { ...production, LOCKERFLOW_NOTICES_URL: url }, url],
  [
    'in staging, to this machine',
    { LOCKERFLOW_NOTICES_URL: 'http://127.0.0.1:9000/', LOCKERFLOW_NOTICES_KEY: key },
    'http://127.0.0.1:9000/',
  ],
])('address and key are taken %s', (_, source, expected) => {
  expect(readEnvironment(source)).toMatchObject({ notices: { url: expected, key } })
})

test.each<[NodeJS.ProcessEnv, string]>([
  [{ LOCKERFLOW_NOTICES_URL: url }, 'LOCKERFLOW_NOTICES_KEY: is missing, and LOCKERFLOW_NOTICES_URL is there'],
  [{ LOCKERFLOW_NOTICES_KEY: key }, 'LOCKERFLOW_NOTICES_URL: is missing, and LOCKERFLOW_NOTICES_KEY is there'],
  [{ LOCKERFLOW_NOTICES_URL: url, LOCKERFLOW_NOTICES_KEY: 'short' }, 'LOCKERFLOW_NOTICES_KEY: has to be 16 to 200'],
  [
    { LOCKERFLOW_NOTICES_URL: 'planning', LOCKERFLOW_NOTICES_KEY: key },
    'LOCKERFLOW_NOTICES_URL: has to be an absolute https or http address',
  ],
  [
    { ...production, LOCKERFLOW_NOTICES_URL: 'http://planning.example' },
    'LOCKERFLOW_NOTICES_URL: has to be an absolute https address',
  ],
  [{ ...production, LOCKERFLOW_NOTICES_URL: 'https://10.0.0.1/' }, 'LOCKERFLOW_NOTICES_URL: has to lead to a public'],
  [
    { LOCKERFLOW_NOTICES_URL: 'http://169.254.169.254/', LOCKERFLOW_NOTICES_KEY: key },
    'LOCKERFLOW_NOTICES_URL: has to lead to a host that is not link-local',
  ],
])('%o stops the worker with one message', (source, message) => {
  expect(() => readEnvironment(source)).toThrow(SettingsFault)
  expect(() => readEnvironment(source)).toThrow(message)
})
