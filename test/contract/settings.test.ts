import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import {
  drivenServiceVariables,
  environmentVariable,
  readDrivenService,
  readListeningHost,
  readTogether,
  readVariables,
  SettingsError,
  toListenerAddress,
  uidSignatureVariable,
} from '#platform/settings'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

test('a variable that is unset or empty has its default', () => {
  expect(readVariables({ LOCKERFLOW_BASE_URL: '' }, drivenServiceVariables)).toMatchObject({
    LOCKERFLOW_BASE_URL: 'http://127.0.0.1:8080',
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_SERVICE_PROFILE: fullProfile,
  })
})

test.each<[Record<string, string>, string]>([
  [
    { LOCKERFLOW_BASE_URL: 'locker' },
    'LOCKERFLOW_BASE_URL: must be an http or https address. Example: LOCKERFLOW_BASE_URL=http://127.0.0.1:8080',
  ],
  ...['http://user:secret-text@lockers.example', 'http://:secret-text@lockers.example'].flatMap(url =>
    ['LOCKERFLOW_BASE_URL', 'LOCKERFLOW_AUTH_URL'].map((name): [Record<string, string>, string] => [
      { [name]: url },
      `${name}: must have no user name or password.`,
    ]),
  ),
  [{ LOCKERFLOW_AUTH_URL: 'http://lockers.example?tenant=a' }, 'LOCKERFLOW_AUTH_URL: must have no query or fragment.'],
  [
    { LOCKERFLOW_SERVICE_PROFILE: 'reads,writes' },
    'LOCKERFLOW_SERVICE_PROFILE: must be none, or a list of reads, reads-by-case',
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

test('a service without capabilities has the profile none, and none combines with no other word', () => {
  const read = (text: string) => readVariables({ LOCKERFLOW_SERVICE_PROFILE: text }, drivenServiceVariables)
  expect(read('none').LOCKERFLOW_SERVICE_PROFILE).toEqual({
    ...{ reads: false, readsByCase: false, idempotent: false, standardWebhooks: false },
  })
  expect(() => read('none,reads')).toThrow('must be none, or a list of reads, reads-by-case')
})

test('the scheme of the uid signature is parsed part by part', () => {
  const source = { LOCKERFLOW_CALLBACK_HMAC: 'header=X-Sign; encoding=base64' }
  expect(readVariables(source, uidSignatureVariable).LOCKERFLOW_CALLBACK_HMAC).toEqual({
    header: 'x-sign',
    algorithm: 'sha256',
    encoding: 'base64',
  })
})

test.each([
  'sha512',
  'algorythm=sha512',
  'header=X-Sign;encoding',
  'header=X Sign',
  'header=X-Sign=',
  'header=Content-Length',
  'header=webhook-signature',
])('a scheme that would sign otherwise than it reads, or break callbacks, is refused: %s', text => {
  const read = () => readVariables({ LOCKERFLOW_CALLBACK_HMAC: text }, uidSignatureVariable)
  expect(read).toThrow('LOCKERFLOW_CALLBACK_HMAC: must list header, algorithm')
})

const driven = { ...drivenServiceVariables, ...environmentVariable }
const production = {
  LOCKERFLOW_ENVIRONMENT: 'production',
  LOCKERFLOW_BASE_URL: 'https://lockers.example',
  LOCKERFLOW_AUTH_URL: 'https://lockers.example',
  LOCKERFLOW_CLIENT_ID: 'a',
  LOCKERFLOW_CLIENT_SECRET: 'of-our-own',
}

test('staging has the address and the credentials of the demonstration', () => {
  const local = 'http://127.0.0.1:8080'
  expect(readDrivenService({}).api).toEqual({
    baseUrl: local,
    authUrl: local,
    clientId: 'acme',
    clientSecret: 'acme-secret',
  })
})

test('staging signs in at the address of the service, unless another one is set', () => {
  const elsewhere = { LOCKERFLOW_BASE_URL: 'http://127.0.0.1:9080' }
  expect(readDrivenService(elsewhere).api.authUrl).toBe('http://127.0.0.1:9080')
  expect(readDrivenService({ ...elsewhere, LOCKERFLOW_AUTH_URL: '' }).api.authUrl).toBe('http://127.0.0.1:9080')
  const apart = { ...elsewhere, LOCKERFLOW_AUTH_URL: 'http://127.0.0.1:9443' }
  expect(readDrivenService(apart).api.authUrl).toBe('http://127.0.0.1:9443')
})

test('one message names every wrong setting, once', () => {
  const source = { LOCKERFLOW_ENVIRONMENT: 'live', LOCKERFLOW_BASE_URL: 'x', LOCKERFLOW_SERVICE_PROFILE: 'flies' }
  const read = () =>
    readTogether({
      first: () => readVariables(source, driven),
      again: () => readVariables(source, environmentVariable),
      other: () => readVariables({ LOCKERFLOW_CALLBACK_HMAC: 'algorithm=md5' }, uidSignatureVariable),
    })
  expect(read).toThrow(SettingsError)
  expect(linesOf(read)).toEqual([
    expect.stringMatching(/^LOCKERFLOW_BASE_URL: must be .*\. Example: LOCKERFLOW_BASE_URL=http/),
    expect.stringMatching(/^LOCKERFLOW_SERVICE_PROFILE: must be .*\. Example: LOCKERFLOW_SERVICE_PROFILE=reads/),
    'LOCKERFLOW_ENVIRONMENT: must be staging or production. Example: LOCKERFLOW_ENVIRONMENT=staging',
    expect.stringMatching(/^LOCKERFLOW_CALLBACK_HMAC: must list .*\. Example: LOCKERFLOW_CALLBACK_HMAC=header/),
    'See docs/reference/errors.md#invalidsettings.',
  ])
})

test('an error that is not about settings is thrown as it is', () => {
  const defect = new Error('defect')
  expect(() => readTogether({ one: () => readVariables({ LOCKERFLOW_BASE_URL: 'x' }, driven), two: fail })).toThrow(
    defect,
  )
  function fail(): never {
    throw defect
  }
})

describe('production', () => {
  test('has no default address and no default credentials', () => {
    const lines = linesOf(() => readDrivenService({ LOCKERFLOW_ENVIRONMENT: 'production' }))
    const names = ['LOCKERFLOW_BASE_URL', 'LOCKERFLOW_AUTH_URL', 'LOCKERFLOW_CLIENT_ID', 'LOCKERFLOW_CLIENT_SECRET']
    expect(lines.slice(0, -1).map(line => line.replace(/\. Production.*/, ''))).toEqual(
      names.map(name => `${name}: is missing`),
    )
  })

  test.each(['acme-secret', 'ACME-SECRET', 'globex-secret', 'password', 'the-same-as-LOCKERFLOW_CLIENT_SECRET'])(
    'refuses the public secret %s',
    secret => {
      const [line] = linesOf(() => readDrivenService({ ...production, LOCKERFLOW_CLIENT_SECRET: secret }))
      expect(line).toMatch(/^LOCKERFLOW_CLIENT_SECRET: must be a secret of your own/)
      expect(readDrivenService({ LOCKERFLOW_CLIENT_SECRET: secret }).api.clientSecret).toBe(secret)
    },
  )

  test.each(['http://lockers.example', 'http://8.8.8.8:8080', 'http://[2606:4700::1111]/'])('refuses %s', address => {
    for (const name of ['LOCKERFLOW_BASE_URL', 'LOCKERFLOW_AUTH_URL']) {
      const [line] = linesOf(() => readDrivenService({ ...production, [name]: address }))
      expect(line).toMatch(new RegExp(`^${name}: must be https in production`))
    }
    expect(readDrivenService({ LOCKERFLOW_BASE_URL: address }).api.baseUrl).toBe(address)
  })

  test.each(['http://service:8080', 'http://127.0.0.1:8080', 'http://10.1.2.3', 'http://api.lockers.svc:80'])(
    'allows %s, inside a private network',
    address => {
      expect(readDrivenService({ ...production, LOCKERFLOW_BASE_URL: address }).api.baseUrl).toBe(address)
    },
  )
})

describe('a secret from a file', () => {
  const file = (text: string) => {
    const path = join(temporaryFolder(), 'secret')
    writeFileSync(path, text)
    return path
  }
  const name = 'LOCKERFLOW_CLIENT_SECRET'

  test.each(['from-the-file', 'from-the-file\n', 'from-the-file\r\n'])('%j has no line break at its end', text => {
    expect(readDrivenService({ ...production, [name]: '', [`${name}_FILE`]: file(text) }).api.clientSecret).toBe(
      'from-the-file',
    )
  })

  test('that is public is refused in production', () => {
    const [line] = linesOf(() =>
      readDrivenService({ ...production, [name]: '', [`${name}_FILE`]: file('acme-secret') }),
    )
    expect(line).toMatch(/^LOCKERFLOW_CLIENT_SECRET: must be a secret of your own/)
  })

  test.each([
    [
      'beside the secret itself',
      () => ({ [name]: 'a', [`${name}_FILE`]: file('b') }),
      `${name}: is set, and so is ${name}_FILE`,
    ],
    [
      'that is missing',
      () => ({ [`${name}_FILE`]: '/nowhere/secret' }),
      `${name}_FILE: must name a file that the process can read, but /nowhere/secret is not (ENOENT)`,
    ],
    ['that is empty', () => ({ [`${name}_FILE`]: file('\n') }), `${name}_FILE: must name a file with the secret`],
  ])('%s is an error', (_, source, start) => {
    const [line = ''] = linesOf(() => readDrivenService(source()))
    expect(line.slice(0, start.length)).toBe(start)
    expect(line).toMatch(new RegExp(`Example: ${name}(_FILE=/run/secrets/lockerflow_client_secret|=acme-secret)$`))
  })

  test('is read for secrets only', () => {
    expect(readDrivenService({ LOCKERFLOW_CLIENT_ID_FILE: file('other') }).api.clientId).toBe('acme')
  })
})

describe('the address to listen on', () => {
  const name = 'LOCKERFLOW_HOST'

  test.each([
    [{}, '127.0.0.1'],
    [{ LOCKERFLOW_ENVIRONMENT: '' }, '127.0.0.1'],
    [{ [name]: '::1' }, '::1'],
    [{ [name]: 'localhost' }, 'localhost'],
    [{ LOCKERFLOW_ENVIRONMENT: 'staging' }, 'usual'],
    [{ LOCKERFLOW_ENVIRONMENT: 'production' }, 'usual'],
    [{ LOCKERFLOW_ENVIRONMENT: 'staging', [name]: '10.0.0.1' }, '10.0.0.1'],
  ])('with %j is %s', (source, host) => {
    expect(readListeningHost(source, 'usual', name)).toBe(host)
  })

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['lockers.example', 'http://lockers.example:80'],
  ])('%s is reached at %s', (host, address) => {
    expect(toListenerAddress(host, 80)).toBe(address)
  })

  test('is loopback unless the environment is named', () => {
    expect(linesOf(() => readListeningHost({ [name]: '0.0.0.0' }, 'usual', name))[0]).toBe(
      `LOCKERFLOW_ENVIRONMENT: must be staging or production, since ${name} is not a loopback address. Example: LOCKERFLOW_ENVIRONMENT=staging`,
    )
  })
})

/** The lines of the error that a reader throws. */
function linesOf(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
  return ['nothing was thrown']
}
