import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SettingsError } from '#platform/settings'
import { defaultSettings, demoTopology, readDatabaseUrl, readSettings } from '#service'
import { simulatedHardware } from '../../service/hardware/index.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

function topologyFile(content: unknown = demoTopology): string {
  const path = join(temporaryFolder(), 'topology.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}

const jwk = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) => key.export({ format: 'jwk' })
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('without variables it is staging with the demonstration topology, on loopback', () => {
  expect(readSettings({})).toMatchObject({
    environment: 'staging',
    databaseUrl: 'file:.lockerflow/service.db',
    host: '127.0.0.1',
    port: 8080,
    topology: demoTopology,
    acceptsWeakSecrets: true,
    allowPrivateNetworks: true,
    rateLimit: 0,
    hardware: simulatedHardware,
    hardwareAdapters: [],
    tokenLifetime: 10_799,
  })
})

const encryptionKeys = `2026-11:${randomBytes(32).toString('base64')}`

const production = {
  LOCKERFLOW_ENVIRONMENT: 'production',
  LOCKERFLOW_DATABASE_URL: 'postgres://lockerflow:of-our-own@postgres:5432/lockerflow',
  LOCKERFLOW_STORE_KEYS: encryptionKeys,
  LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
  LOCKERFLOW_HARDWARE_URL: 'https://adapter.example',
  LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own',
}

/** The demonstration topology with secrets that production accepts. */
const strongTopology = {
  ...demoTopology,
  tenants: demoTopology.tenants.map(tenant => ({
    ...tenant,
    clients: tenant.clients.map(client => ({ ...client, clientSecret: randomBytes(24).toString('hex') })),
  })),
}

test('production limits the rate, calls back to public addresses only, and listens everywhere', () => {
  const source = { ...production, LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology) }
  expect(readSettings(source)).toMatchObject({
    rateLimit: 200,
    maxEventLoopDelay: 500,
    maxStoreWait: 2_000,
    acceptsWeakSecrets: false,
    allowPrivateNetworks: false,
    host: '0.0.0.0',
    tokenLifetime: 900,
    trustProxy: false,
    hardwareAdapters: [
      { name: undefined, url: 'https://adapter.example', keys: ['hardware-key-of-our-own'], pickUpPoints: undefined },
    ],
  })
})

test('production refuses weak client secrets', () => {
  const readWith = (clientSecret: string) =>
    readSettings({
      ...production,
      LOCKERFLOW_TOPOLOGY: topologyFile({
        ...strongTopology,
        tenants: strongTopology.tenants.map(tenant => ({
          ...tenant,
          clients: tenant.clients.map(client => ({ ...client, clientSecret })),
        })),
      }),
    })
  for (const secret of [
    '0123456789abcdef0123456',
    'acme-secret-of-24-letters-or-more',
    'abcabcabcabcabcabcabcabcabc',
  ]) {
    expect(() => readWith(secret)).toThrow('tenants[0].clients[0].clientSecret: must be random')
    expect(() => readWith(secret)).not.toThrow(secret)
  }
  expect(() => readWith('0123456789abcdef01234567')).not.toThrow()
})

test('production names every setting that is missing', () => {
  const read = () => readSettings({ LOCKERFLOW_ENVIRONMENT: 'production', LOCKERFLOW_SERVICE_PORT: 'eighty' })
  for (const name of ['DATABASE_URL', 'STORE_KEYS', 'PUBLIC_URL', 'TOPOLOGY', 'HARDWARE_URL', 'HARDWARE_KEY']) {
    expect(read).toThrow(new RegExp(`^LOCKERFLOW_${name}: is missing\\. Production has no default\\. Example: `, 'm'))
  }
  expect(read).toThrow(/^LOCKERFLOW_SERVICE_PORT: must be a port/m)
})

test('production connects to PostgreSQL by TLS with a verified certificate, unless the settings say otherwise', () => {
  const source = { ...production, LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology) }
  const urlWith = (more: NodeJS.ProcessEnv) => readSettings({ ...source, ...more }).databaseUrl
  const url = production.LOCKERFLOW_DATABASE_URL
  expect(urlWith({})).toBe(`${url}?sslmode=verify-full`)
  const authorities = fileURLToPath(import.meta.url)
  const secured = new URL(urlWith({ LOCKERFLOW_DATABASE_CA: authorities }))
  expect(secured.searchParams.get('sslrootcert')).toBe(authorities)
  expect(urlWith({ LOCKERFLOW_DATABASE_TLS: 'optional' })).toBe(url)
  expect(urlWith({ LOCKERFLOW_DATABASE_URL: 'file:service.db' })).toBe('file:service.db')
  expect(readDatabaseUrl(source)).toBe(`${url}?sslmode=verify-full`)
  expect(readDatabaseUrl({ LOCKERFLOW_DATABASE_URL: url })).toBe(url)
  expect(readDatabaseUrl({ LOCKERFLOW_DATABASE_URL: url, LOCKERFLOW_DATABASE_TLS: 'required' })).toContain(
    'verify-full',
  )
})

test('staging that is named listens everywhere, unless the secrets of the topology are public', () => {
  const staging = { LOCKERFLOW_ENVIRONMENT: 'staging' }
  expect(readSettings({ ...staging, LOCKERFLOW_TOPOLOGY: topologyFile() }).host).toBe('0.0.0.0')
  expect(readSettings(staging).host).toBe('127.0.0.1')
  expect(readSettings({ LOCKERFLOW_TOPOLOGY: topologyFile() }).host).toBe('127.0.0.1')
})

test.each([true, false])('LOCKERFLOW_API_DOCS=%s', apiDocs => {
  expect(readSettings({ LOCKERFLOW_API_DOCS: String(apiDocs) })).toMatchObject({ apiDocs })
})

test('variables override the defaults', () => {
  const signingKey = jwk(elliptic.privateKey)
  const source = {
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_HOST: '::1',
    LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
    LOCKERFLOW_RATE_LIMIT: '7',
    LOCKERFLOW_TRUST_PROXY: '10.0.0.0/8, ::1',
    LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: 'false',
    LOCKERFLOW_SIGNING_KEY: JSON.stringify(signingKey),
    LOCKERFLOW_CALLBACK_HMAC: 'header=X-Other;algorithm=sha512;encoding=base64',
  }
  expect(readSettings(source)).toMatchObject({
    port: 0,
    host: '::1',
    publicUrl: 'https://lockers.example',
    rateLimit: 7,
    trustProxy: ['10.0.0.0/8', '::1'],
    allowPrivateNetworks: false,
    signingKey,
    uidSignatureScheme: { header: 'x-other', algorithm: 'sha512', encoding: 'base64' },
  })
})

const badKeys = {
  noJson: 'secret-text',
  public: JSON.stringify(jwk(elliptic.publicKey as typeof elliptic.privateKey)),
  symmetric: JSON.stringify({ kty: 'oct', k: 'c2VjcmV0LXRleHQ' }),
  agreement: JSON.stringify(jwk(generateKeyPairSync('x25519').privateKey)),
}

test.each<[string, NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv), string]>([
  ['LOCKERFLOW_ENVIRONMENT', { LOCKERFLOW_ENVIRONMENT: 'test' }, 'must be staging or production'],
  ['LOCKERFLOW_DATABASE_URL', { LOCKERFLOW_DATABASE_URL: 'service.db' }, 'must be'],
  ['LOCKERFLOW_DATABASE_URL', { LOCKERFLOW_DATABASE_URL: 'postgres://u:pass/word@db:5432/l' }, 'must be a URL'],
  ...[
    'file:/c#d/s.db',
    'file:c#d/s.db',
    'file:/s.db?mode=ro',
    'file:/50%/s.db',
    'file:50%',
    'file:/a%00',
    'file://host/s',
  ].map(
    url =>
      [
        'LOCKERFLOW_DATABASE_URL',
        { LOCKERFLOW_DATABASE_URL: url },
        'must be a file: URL, in whose path %, \\? and #',
      ] as const,
  ),
  ['LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_SERVICE_PORT: 'eighty' }, 'must be a port'],
  ['LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_SERVICE_PORT: '65536' }, 'must be a port'],
  ['LOCKERFLOW_PUBLIC_URL', { LOCKERFLOW_PUBLIC_URL: 'lockers' }, 'must be an http or https address'],
  ...['https://lockers.example/?a=b', 'https://lockers.example/#a'].map(
    url => ['LOCKERFLOW_PUBLIC_URL', { LOCKERFLOW_PUBLIC_URL: url }, 'must have no query or fragment'] as const,
  ),
  [
    'LOCKERFLOW_PUBLIC_URL',
    { LOCKERFLOW_PUBLIC_URL: 'https://user:secret-text@lockers.example' },
    'must have no user name or password',
  ],
  ['LOCKERFLOW_TOPOLOGY', production, 'is missing'],
  [
    'LOCKERFLOW_PUBLIC_URL',
    () => ({
      ...production,
      LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology),
      LOCKERFLOW_PUBLIC_URL: 'http://lockers.example',
    }),
    'must be https in production',
  ],
  [
    'LOCKERFLOW_DATABASE_URL',
    () => ({
      ...production,
      LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology),
      LOCKERFLOW_DATABASE_URL: 'postgres://a:password@b/c',
    }),
    'must be a secret of your own',
  ],
  ...Object.entries({
    LOCKERFLOW_DATABASE_URL: 'postgres://a:aaaaaaaaaaaa@b/c',
    LOCKERFLOW_STORE_KEYS: `2026-11:${Buffer.alloc(32, 0xab).toString('base64')}`,
    LOCKERFLOW_HARDWARE_KEY: 'x'.repeat(32),
  }).map(([name, value]) => [
    name,
    () => ({ ...production, LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology), [name]: value }),
    'must be a secret of your own in production, .* few different characters',
  ]),
  ['LOCKERFLOW_ENVIRONMENT', { LOCKERFLOW_HOST: '0.0.0.0' }, 'LOCKERFLOW_HOST is not a loopback address'],
  ['LOCKERFLOW_TOPOLOGY', { LOCKERFLOW_TOPOLOGY: '/nowhere/t.yaml' }, '/nowhere/t.yaml'],
  ['LOCKERFLOW_TOPOLOGY', () => ({ LOCKERFLOW_TOPOLOGY: topologyFile({ tenants: [] }) }), 'pickUpPoints is missing'],
  ['LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS', { LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: 'yes' }, 'must be true or false'],
  [
    'LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS',
    () => ({
      ...production,
      LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology),
      LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS: 'true',
    }),
    'cannot be true in production',
  ],
  ...['sslmode=disable', 'sslmode=no-verify', 'ssl=0', 'uselibpqcompat=true&sslmode=require'].map(
    parameters =>
      [
        'LOCKERFLOW_DATABASE_URL',
        () => ({
          ...production,
          LOCKERFLOW_TOPOLOGY: topologyFile(strongTopology),
          LOCKERFLOW_DATABASE_URL: `${production.LOCKERFLOW_DATABASE_URL}?${parameters}`,
        }),
        'since LOCKERFLOW_DATABASE_TLS is required',
      ] as const,
  ),
  ...['prefer', 'allow'].map(
    mode =>
      [
        'LOCKERFLOW_DATABASE_URL',
        { LOCKERFLOW_DATABASE_URL: `postgres://u:secret-text@db/l?sslmode=${mode}` },
        `must not contain sslmode=${mode}, .* Write disable`,
      ] as const,
  ),
  ['LOCKERFLOW_DATABASE_TLS', { LOCKERFLOW_DATABASE_TLS: 'prefer' }, 'must be required or optional'],
  ['LOCKERFLOW_DATABASE_CA', { LOCKERFLOW_DATABASE_CA: '/nowhere/ca.pem' }, 'must be a file'],
  ...[
    'secret-text',
    '2026-11:secret-text',
    `2026-11:${randomBytes(31).toString('base64')}`,
    `${encryptionKeys},${encryptionKeys}`,
    `a b:${randomBytes(32).toString('base64')}`,
  ].map(keys => ['LOCKERFLOW_STORE_KEYS', { LOCKERFLOW_STORE_KEYS: keys }, 'must list keys as id:key'] as const),
  ['LOCKERFLOW_RATE_LIMIT', { LOCKERFLOW_RATE_LIMIT: '-1' }, 'must be a whole number'],
  ...['true', '0', '11', '10.0.0.0/33', '10.0.0.0/0', 'proxy.example', '::1/129'].map(
    text => ['LOCKERFLOW_TRUST_PROXY', { LOCKERFLOW_TRUST_PROXY: text }, 'must be false, 1 to 10 hops'] as const,
  ),
  [
    'LOCKERFLOW_TOPOLOGY',
    () => ({ ...production, LOCKERFLOW_TOPOLOGY: topologyFile() }),
    'clientSecret: must be random, with at least 24 characters',
  ],
  ['LOCKERFLOW_CALLBACK_HMAC', { LOCKERFLOW_CALLBACK_HMAC: 'algorithm=md5' }, 'must list'],
  ...Object.values(badKeys).map(
    key => ['LOCKERFLOW_SIGNING_KEY', { LOCKERFLOW_SIGNING_KEY: key }, 'must be a private JWK'] as const,
  ),
] as never)('%s is invalid: one message names it, says why, and shows an example', (name, source, wrong) => {
  const environment = typeof source === 'function' ? source() : source
  const read = () => readSettings(environment)
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(new RegExp(`^${name}: [^\\n]*${wrong}[^\\n]*\\. Example: ${name}=\\S`))
  expect(read).not.toThrow('secret-text')
})

test('without a rate limit there is none of bodies, and without load shedding none of delays', () => {
  expect(readSettings({ LOCKERFLOW_RATE_LIMIT: '7' }).bodyRate).toBe(8 * 1_048_576)
  expect(readSettings({ LOCKERFLOW_SHED_LOAD: 'false' })).toMatchObject({
    bodyRate: 0,
    maxEventLoopDelay: 0,
    maxStoreWait: 0,
  })
})

describe('sizes and time limits', () => {
  const limits = [
    ['LOCKERFLOW_DATABASE_CONNECTIONS', '32', { connections: 32 }],
    ['LOCKERFLOW_STATEMENT_TIMEOUT', '2000', { statementTimeout: 2_000, lockTimeout: 1_000 }],
  ] as const

  test.each(limits)('%s=%s', (name, text, expected) => {
    expect(readSettings({ [name]: text })).toMatchObject(expected)
  })

  test('have the defaults of the service', () => {
    const { connections, statementTimeout, lockTimeout } = readSettings({})
    expect(defaultSettings).toMatchObject({ connections, statementTimeout, lockTimeout })
  })

  test.each(limits)('%s must be in its range', name => {
    for (const text of ['0', '-1', 'many', '999999999']) {
      expect(() => readSettings({ [name]: text })).toThrow(`${name}: must be a whole number from`)
    }
  })

  test.each(['silent', 'debug'])('LOCKERFLOW_LOG_LEVEL=%s', level => {
    expect(readSettings({ LOCKERFLOW_LOG_LEVEL: level }).log.level).toBe(level)
  })

  test('an unknown log level is refused', () => {
    expect(() => readSettings({ LOCKERFLOW_LOG_LEVEL: 'loud' })).toThrow(/^LOCKERFLOW_LOG_LEVEL: must be silent/)
  })
})
