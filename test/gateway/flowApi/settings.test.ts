import { describe, expect, test } from 'vitest'
import { SettingsError } from '#platform/settings'
import { readFlowApi } from '../../../gateway/flowApi/index.ts'

const api = () => ({ baseUrl: 'http://s', authUrl: 'http://s', clientId: 'acme', clientSecret: 'secret' })
const read = (source: Record<string, string>) => readFlowApi(source, api)
const production = { LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_FLOW_API_PORT: '8085' }
const issuer = { LOCKERFLOW_FLOW_API_ISSUER: 'https://login.example', LOCKERFLOW_FLOW_API_AUDIENCE: 'flows' }

test('without a port there is no listener', () => {
  expect(read({ ...issuer, LOCKERFLOW_ENVIRONMENT: 'production' })).toBeUndefined()
})

test('in staging it listens on loopback and accepts the clients of the service', () => {
  expect(read({ LOCKERFLOW_FLOW_API_PORT: '0', LOCKERFLOW_ENVIRONMENT: 'staging' })).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    issuers: [{ kind: 'service', authUrl: 'http://s', clientId: 'acme', roles: 'all' }],
  })
})

test('in production it listens on loopback, and accepts the issuer alone', () => {
  expect(read({ ...production, ...issuer })).toMatchObject({
    host: '127.0.0.1',
    issuers: [{ kind: 'openid', issuer: 'https://login.example', audience: 'flows', rolesClaim: 'roles' }],
  })
  expect(read({ ...production, ...issuer, LOCKERFLOW_HOST: '0.0.0.0' })).toMatchObject({ host: '0.0.0.0' })
})

describe('the clients of the service', () => {
  test.each([
    ['no role', 'none', []],
    ['the roles of the setting', 'shop staff, workshop,', ['shop staff', 'workshop']],
    ['all roles by an asterisk', '*', 'all'],
  ])('have %s', (_, listed, roles) => {
    const source = { ...production, LOCKERFLOW_FLOW_API_SERVICE_ROLES: listed }
    expect(read(source)).toMatchObject({ issuers: [{ kind: 'service', roles }] })
  })

  test.each(['true', 'false', 'False', ' no', '0'])('are not accepted by a switch: %s', text => {
    const source = { ...production, ...issuer, LOCKERFLOW_FLOW_API_SERVICE_ROLES: text }
    expect(() => read(source)).toThrow('LOCKERFLOW_FLOW_API_SERVICE_ROLES: must list roles')
  })
})

test('the claim of the roles comes from the environment', () => {
  const claim = { LOCKERFLOW_FLOW_API_ROLES_CLAIM: 'realm_access.roles' }
  expect(read({ ...production, ...issuer, ...claim })).toMatchObject({
    issuers: [{ kind: 'openid', rolesClaim: 'realm_access.roles' }],
  })
})

test('the clients of the service are accepted beside the issuer if they have roles', () => {
  const service = { kind: 'service', authUrl: 'http://s', clientId: 'acme', clientSecret: 'secret' }
  const kinds = (source: Record<string, string>) => read(source)?.issuers.map(({ kind }) => kind)
  const accepting = { LOCKERFLOW_FLOW_API_SERVICE_ROLES: 'none' }
  expect(read({ ...production, ...accepting })).toMatchObject({ issuers: [service] })
  expect(kinds({ ...production, ...issuer, ...accepting })).toEqual(['openid', 'service'])
  const staging = { LOCKERFLOW_FLOW_API_PORT: '0', LOCKERFLOW_ENVIRONMENT: 'staging' }
  expect(kinds({ ...staging, ...issuer })).toEqual(['openid'])
  expect(kinds({ ...staging, ...issuer, ...accepting })).toEqual(['openid', 'service'])
})

test('own flows and trusted proxies come from the environment', () => {
  const more = {
    LOCKERFLOW_FLOWS: './flows/*.yaml',
    LOCKERFLOW_TRUST_PROXY: '10.0.0.0/8, ::1',
  }
  expect(read({ ...production, ...issuer, ...more })).toMatchObject({
    flowFiles: ['./flows/*.yaml'],
    trustProxy: ['10.0.0.0/8', '::1'],
  })
})

test.each([true, false])('LOCKERFLOW_API_DOCS=%s is that of the service and of the flow API', apiDocs => {
  const source = { ...production, ...issuer, LOCKERFLOW_API_DOCS: String(apiDocs) }
  expect(read(source)).toMatchObject({ apiDocs })
  expect(read({ ...production, ...issuer })).toMatchObject({ apiDocs: true })
})

test('the keys of decision links come from the environment, the newest first', () => {
  const [key, previous] = ['a-key-of-decision-links', 'the-key-before-it']
  const rotating = { LOCKERFLOW_DECISION_LINKS_KEY: `${key},${previous}` }
  expect(read({ ...production, ...issuer, ...rotating })).toMatchObject({ decisionKeys: [key, previous] })
  expect(read({ ...production, ...issuer, LOCKERFLOW_DECISION_LINKS_KEY: key })).toMatchObject({ decisionKeys: [key] })
  expect(read({ ...production, ...issuer })).toMatchObject({ decisionKeys: [] })
})

describe('the gateway does not start', () => {
  test.each<[string, Record<string, string>, string]>([
    ['in production without an issuer', production, 'LOCKERFLOW_FLOW_API_ISSUER: is missing'],
    [
      'in production without an audience',
      { ...production, LOCKERFLOW_FLOW_API_ISSUER: 'https://login.example' },
      'LOCKERFLOW_FLOW_API_AUDIENCE: is missing',
    ],
    [
      'with a public address and no environment',
      { LOCKERFLOW_FLOW_API_PORT: '0', LOCKERFLOW_HOST: '0.0.0.0' },
      'LOCKERFLOW_ENVIRONMENT: must be staging or production',
    ],
    [
      'with a short key of decision links',
      { ...production, ...issuer, LOCKERFLOW_DECISION_LINKS_KEY: 'short' },
      'LOCKERFLOW_DECISION_LINKS_KEY: must be 16 to 200',
    ],
    ...['a'.repeat(32), `a-key-of-decision-links,${'a'.repeat(32)}`].map(
      (keys): [string, Record<string, string>, string] => [
        `with the weak key of decision links ${keys} in production`,
        { ...production, ...issuer, LOCKERFLOW_DECISION_LINKS_KEY: keys },
        'LOCKERFLOW_DECISION_LINKS_KEY: must be a secret of your own',
      ],
    ),
  ])('%s', (_, source, message) => {
    expect(() => read(source)).toThrow(SettingsError)
    expect(() => read(source)).toThrow(message)
  })
})
