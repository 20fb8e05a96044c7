import { describe, expect, test } from 'vitest'
import { SettingsError } from '#platform/settings'
import { readSettings } from '../../worker/settings.ts'

const url = 'https://planning.example/notices'
const key = 'a-key-of-notices'
const production = {
  LOCKERFLOW_ENVIRONMENT: 'production',
  LOCKERFLOW_BASE_URL: 'https://lockers.example',
  LOCKERFLOW_AUTH_URL: 'https://lockers.example',
  LOCKERFLOW_CLIENT_ID: 'a',
  LOCKERFLOW_CLIENT_SECRET: 'of-our-own',
  LOCKERFLOW_CODEC: 'off',
  LOCKERFLOW_NOTIFICATIONS_KEY: key,
}

test('without an address there are no notifications', () => {
  expect(readSettings({ LOCKERFLOW_NOTIFICATIONS_URL: '', LOCKERFLOW_NOTIFICATIONS_KEY: '' })).not.toHaveProperty(
    'notifications',
  )
})

test.each([
  ['in production', { ...production, LOCKERFLOW_NOTIFICATIONS_URL: url }, url],
  [
    'in staging, to this machine',
    { LOCKERFLOW_NOTIFICATIONS_URL: 'http://127.0.0.1:9000/', LOCKERFLOW_NOTIFICATIONS_KEY: key },
    'http://127.0.0.1:9000/',
  ],
])('address and key are accepted %s', (_, source, expected) => {
  expect(readSettings(source)).toMatchObject({ notifications: { url: expected, key } })
})

test('the key before it signs too', () => {
  const source = {
    ...production,
    LOCKERFLOW_NOTIFICATIONS_URL: url,
    LOCKERFLOW_NOTIFICATIONS_KEY: `${key},${key}-old`,
  }
  expect(readSettings(source)).toMatchObject({ notifications: { key, previousKey: `${key}-old` } })
})

test.each<[NodeJS.ProcessEnv, string]>([
  [
    { LOCKERFLOW_NOTIFICATIONS_URL: url },
    'LOCKERFLOW_NOTIFICATIONS_KEY: is missing although LOCKERFLOW_NOTIFICATIONS_URL is set',
  ],
  [
    { LOCKERFLOW_NOTIFICATIONS_KEY: key },
    'LOCKERFLOW_NOTIFICATIONS_URL: is missing although LOCKERFLOW_NOTIFICATIONS_KEY is set',
  ],
  [
    { LOCKERFLOW_NOTIFICATIONS_URL: url, LOCKERFLOW_NOTIFICATIONS_KEY: 'short' },
    'LOCKERFLOW_NOTIFICATIONS_KEY: must be 16 to 200',
  ],
  [
    { LOCKERFLOW_NOTIFICATIONS_URL: 'planning', LOCKERFLOW_NOTIFICATIONS_KEY: key },
    'LOCKERFLOW_NOTIFICATIONS_URL: must be an absolute https or http address',
  ],
  [
    { ...production, LOCKERFLOW_NOTIFICATIONS_URL: 'http://planning.example' },
    'LOCKERFLOW_NOTIFICATIONS_URL: must be an absolute https address',
  ],
  [
    { ...production, LOCKERFLOW_NOTIFICATIONS_URL: 'https://10.0.0.1/' },
    'LOCKERFLOW_NOTIFICATIONS_URL: must lead to a public',
  ],
  [
    { LOCKERFLOW_NOTIFICATIONS_URL: 'http://169.254.169.254/', LOCKERFLOW_NOTIFICATIONS_KEY: key },
    'LOCKERFLOW_NOTIFICATIONS_URL: must lead to a host that is not link-local',
  ],
])('%o stops the worker with one message', (source, message) => {
  expect(() => readSettings(source)).toThrow(SettingsError)
  expect(() => readSettings(source)).toThrow(message)
})

describe('decision links', () => {
  const links = {
    ...production,
    LOCKERFLOW_NOTIFICATIONS_URL: url,
    LOCKERFLOW_DECISION_LINKS_URL: 'https://decide.example',
    LOCKERFLOW_DECISION_LINKS_KEY: 'a-key-of-decision-links',
  }
  const { LOCKERFLOW_DECISION_LINKS_KEY: _key, ...withoutKey } = links
  const { LOCKERFLOW_NOTIFICATIONS_URL: _url, LOCKERFLOW_NOTIFICATIONS_KEY: _other, ...withoutReceiver } = links

  test('expire, and extend by a day', () => {
    expect(readSettings(links).notifications?.links).toEqual({
      url: 'https://decide.example',
      key: 'a-key-of-decision-links',
      lifetime: 3 * 86_400_000,
      extendBy: '24h',
    })
  })

  test('are off without their address, with a key or without', () => {
    for (const source of [links, withoutKey])
      expect(readSettings({ ...source, LOCKERFLOW_DECISION_LINKS_URL: '' }).notifications).toEqual({ url, key })
  })

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['without a key', withoutKey, 'LOCKERFLOW_DECISION_LINKS_KEY: is missing although LOCKERFLOW_DECISION_LINKS_URL'],
    [
      'without a receiver of notifications',
      withoutReceiver,
      'LOCKERFLOW_NOTIFICATIONS_URL: is missing although LOCKERFLOW_DECISION_LINKS_URL',
    ],
    [
      'with a short key',
      { ...links, LOCKERFLOW_DECISION_LINKS_KEY: 'short' },
      'LOCKERFLOW_DECISION_LINKS_KEY: must be',
    ],
    [
      'over plain http in production',
      { ...links, LOCKERFLOW_DECISION_LINKS_URL: 'http://decide.example' },
      'LOCKERFLOW_DECISION_LINKS_URL: must be https in production',
    ],
    ...['/decisions', '/decisions/', '/app?from=mail', '/#decide'].map((end): [string, NodeJS.ProcessEnv, string] => [
      `with an address that ends with ${end}`,
      { ...links, LOCKERFLOW_DECISION_LINKS_URL: `https://decide.example${end}` },
      'LOCKERFLOW_DECISION_LINKS_URL: must be an address without the path of the links, a query and a fragment',
    ]),
  ])('stop the worker %s', (_, source, message) => {
    expect(() => readSettings(source)).toThrow(SettingsError)
    expect(() => readSettings(source)).toThrow(message)
  })
})
