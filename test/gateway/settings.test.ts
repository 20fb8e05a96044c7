import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { fullProfile } from '#contract/terms'
import { encrypts } from '#platform/codec'
import { SettingsError } from '#platform/settings'
import type { CallbackKeys } from '../../gateway/settings.ts'
import { gatewayVariables, readReceiver, readSettings } from '../../gateway/settings.ts'
import { newKey } from '../support/codec/keys.ts'

const key = 'a-key-of-sixteen-or-more'

const test = base.extend<{ folder: string; read: (source: NodeJS.ProcessEnv) => ReturnType<typeof readSettings> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
    await use(join(folder, 'kept'))
    rmSync(folder, { recursive: true })
  },
  // Only the Temporal settings of the test, not those of this machine's user.
  read: async ({ folder }, use) => {
    const none = `${folder}.toml`
    writeFileSync(none, '[profile.default]\n')
    await use(source => readSettings({ TEMPORAL_CONFIG_FILE: none, ...source }, folder))
  },
})

describe('settings', () => {
  test('have defaults in staging', ({ read }) => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 8081,
      uidSignatureScheme: { header: 'x-hmac', algorithm: 'sha256', encoding: 'hex' },
      profile: fullProfile,
      registers: true,
      api: { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080', clientId: 'acme' },
      temporal: { address: '127.0.0.1:7233' },
      namespace: 'default',
    })
  })

  test('are taken from the environment', ({ read }) => {
    const settings = read({
      LOCKERFLOW_ENVIRONMENT: 'production',
      LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
      LOCKERFLOW_GATEWAY_PORT: '9000',
      LOCKERFLOW_GATEWAY_URL: 'https://gateway.example',
      LOCKERFLOW_CALLBACK_KEY: `${key},${key}-before`,
      LOCKERFLOW_CALLBACK_HMAC: 'header=X-Sign;algorithm=sha512;encoding=base64',
      LOCKERFLOW_CALLBACK_REGISTRATION: 'manual',
      LOCKERFLOW_SERVICE_PROFILE: 'reads',
      LOCKERFLOW_BASE_URL: 'https://lockers.example',
      LOCKERFLOW_AUTH_URL: 'http://service:8080',
      LOCKERFLOW_CLIENT_ID: 'tenant',
      LOCKERFLOW_CLIENT_SECRET: 'a-secret',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_NAMESPACE: 'acme',
      TEMPORAL_API_KEY: 'secret',
    })
    expect(settings).toMatchObject({
      host: '0.0.0.0',
      port: 9000,
      url: 'https://gateway.example',
      keys: { current: key, previous: `${key}-before` },
      uidSignatureScheme: { header: 'x-sign', algorithm: 'sha512', encoding: 'base64' },
      profile: { reads: true, standardWebhooks: false },
      registers: false,
      api: { clientId: 'tenant', clientSecret: 'a-secret' },
      temporal: { address: 'temporal.example:7233', apiKey: 'secret', tls: true },
      namespace: 'acme',
    })
    expect(encrypts(settings.dataConverter)).toBe(true)
  })

  test('take the key of Temporal from a file', ({ read, folder }) => {
    read({})
    const file = join(folder, 'key')
    writeFileSync(file, 'of-the-namespace\n')
    expect(read({ TEMPORAL_API_KEY_FILE: file }).temporal).toMatchObject({ apiKey: 'of-the-namespace', tls: true })
    expect(() => read({ TEMPORAL_API_KEY: 'a', TEMPORAL_API_KEY_FILE: file })).toThrow(
      /^TEMPORAL_API_KEY: is set, and so is TEMPORAL_API_KEY_FILE/,
    )
  })

  test('name a configuration of Temporal that is missing', ({ read }) => {
    expect(() => read({ TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' })).toThrow(
      /^TEMPORAL_CONFIG_FILE: must name a file that the process can read, but \/nowhere\/temporal\.toml is not \(ENOENT\)/,
    )
  })

  test.for([
    ['', /^TEMPORAL_CONFIG_FILE: must name a file with a profile, such as \[profile\.default\]\. Example/],
    ['[profile.default]\naddress = "http://t"', /^TEMPORAL_CONFIG_FILE: its address must be a host and a port without/],
    ['[profile.default]\ntls = { client_cert_data = "x" }', /^TEMPORAL_TLS_CLIENT_KEY_PATH: is missing\. The client c/],
    ['[profile.default]\ntls = { client_cert_path = "/no" }', /^TEMPORAL_CONFIG_FILE: must name a valid .* ENOENT/],
  ] as const)('name what is wrong in the configuration %j of Temporal', ([text, error], { read, folder }) => {
    read({})
    const file = `${folder}.configuration`
    writeFileSync(file, text)
    expect(() => read({ TEMPORAL_CONFIG_FILE: file })).toThrow(error)
  })

  test.for(['http://temporal:7233', 'temporal:99999', ':7233', 'one two'])(
    'name an address to which the SDK connects never: %s',
    (address, { read }) => {
      expect(() => read({ TEMPORAL_ADDRESS: address })).toThrow(
        /^TEMPORAL_ADDRESS: must be a host and a port without a scheme\. Example: TEMPORAL_ADDRESS=127\.0\.0\.1:7233$/m,
      )
    },
  )

  test.for(['/_sys/lockerflow', ' lockerflow', 'locker\tflow', 'q'.repeat(101)])(
    'refuse the task queue %j, which Temporal reserves or which is not readable',
    (name, { read }) => {
      expect(() => read({ LOCKERFLOW_TASK_QUEUE: name })).toThrow(
        /^LOCKERFLOW_TASK_QUEUE: must be at most 100 characters, .* Example: LOCKERFLOW_TASK_QUEUE=lockerflow$/m,
      )
    },
  )

  test.for(['temporal', 'temporal.example:7233', '[::1]:7233', '10.0.0.1:1'])(
    'accept TEMPORAL_ADDRESS=%s',
    (address, { read }) => {
      expect(read({ TEMPORAL_ADDRESS: address }).temporal.address).toBe(address)
    },
  )

  test.for([
    ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
    ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
  ] as const)('with %s need %s', ([given, missing], { read }) => {
    const source = { [given]: import.meta.filename }
    expect(() => read(source)).toThrow(new RegExp(`^${missing}: is missing\\. `))
    expect(read({ ...source, TEMPORAL_TLS: 'false' }).temporal.tls).toBe(false)
    expect(read({ ...source, [missing]: import.meta.filename }).temporal.tls).toMatchObject({ clientCertPair: {} })
  })

  test.for(['True', 'yes', 'on'])('send no API key without TLS for TEMPORAL_TLS=%s', (text, { read }) => {
    expect(() => read({ TEMPORAL_TLS: text, TEMPORAL_API_KEY: 'secret' })).toThrow(
      /^TEMPORAL_TLS: must be true or false\. Example: TEMPORAL_TLS=true$/m,
    )
  })

  test.for([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const)('accept TEMPORAL_TLS=%s', ([text, tls], { read }) => {
    expect(Boolean(read({ TEMPORAL_TLS: text }).temporal.tls)).toBe(tls)
  })

  test.for([
    ['TEMPORAL_TLS', { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'secret' }, ''],
    ['the configuration', {}, 'api_key = "secret"\ntls = { disabled = true }'],
  ] as const)('send no API key where %s switches TLS off', ([, source, configuration], { read, folder }) => {
    read({})
    const file = `${folder}.configuration`
    writeFileSync(file, `[profile.default]\n${configuration}`)
    expect(() => read({ TEMPORAL_CONFIG_FILE: file, ...source })).toThrow(
      /^TEMPORAL_TLS: must be true, since the API key would be sent without TLS\. Example: TEMPORAL_TLS=true$/m,
    )
  })

  describe('of Temporal in production', () => {
    const production = {
      LOCKERFLOW_ENVIRONMENT: 'production',
      LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
      LOCKERFLOW_GATEWAY_URL: 'https://gateway.example',
      LOCKERFLOW_CALLBACK_KEY: key,
      LOCKERFLOW_BASE_URL: 'https://lockers.example',
      LOCKERFLOW_AUTH_URL: 'https://lockers.example',
      LOCKERFLOW_CLIENT_ID: 'tenant',
      LOCKERFLOW_CLIENT_SECRET: 'a-secret',
    }

    test.for([
      ['temporal.example:7233', {}],
      ['temporal.example', { TEMPORAL_TLS: 'false' }],
      ['[2a00::1]:7233', {}],
    ] as const)('refuse %s without TLS', ([address, source], { read }) => {
      const settings = { ...production, TEMPORAL_ADDRESS: address, ...source }
      expect(() => read(settings)).toThrow(
        /^TEMPORAL_TLS: must be true in production, since the host of Temporal is public\. A service of Kubernetes needs \.svc at the end of its name\. Example/m,
      )
      expect(read({ ...settings, TEMPORAL_TLS: 'true' }).temporal.tls).toBeTruthy()
      expect(read({ ...settings, LOCKERFLOW_ENVIRONMENT: 'staging' }).temporal.address).toBe(address)
    })

    test.for([
      ...[
        'temporal:7233',
        'temporal-frontend.temporal.svc:7233',
        'temporal.temporal.svc.cluster.local',
        '10.0.0.1:7233',
      ],
      '[::1]:7233',
    ])('allow %s without TLS, inside a private network', (address, { read }) => {
      expect(read({ ...production, TEMPORAL_ADDRESS: address }).temporal.address).toBe(address)
    })
  })

  test('name the key that a gateway cannot make', ({ read, folder }) => {
    mkdirSync(join(folder, 'callback.key'), { recursive: true })
    expect(() => read({})).toThrow(/^LOCKERFLOW_CALLBACK_KEY: must be set, or .*callback\.key must be a file/)
  })

  test('that are wrong are named together', ({ read, folder }) => {
    read({})
    const file = join(folder, 'temporal.toml')
    writeFileSync(file, 'not = = toml')
    const source = {
      TEMPORAL_CONFIG_FILE: file,
      LOCKERFLOW_HOST: '0.0.0.0',
      LOCKERFLOW_BASE_URL: 'x',
      LOCKERFLOW_GATEWAY_PORT: 'x',
    }
    const lines = ['TEMPORAL_CONFIG_FILE', 'LOCKERFLOW_BASE_URL', 'LOCKERFLOW_ENVIRONMENT', 'LOCKERFLOW_GATEWAY_PORT']
    expect(() => read(source)).toThrow(new RegExp(lines.map(name => `^${name}: .*`).join('\\n'), 'm'))
  })

  const wrong: [string, string][] = [
    ['LOCKERFLOW_GATEWAY_PORT', '99999'],
    ['LOCKERFLOW_GATEWAY_PORT', 'http'],
    ['LOCKERFLOW_GATEWAY_URL', 'gateway'],
    ['LOCKERFLOW_GATEWAY_URL', 'https://user:secret-text@gateway.example'],
    ['LOCKERFLOW_GATEWAY_URL', 'https://gateway.example/?a=b'],
    ['LOCKERFLOW_CALLBACK_KEY', 'too short'],
    ['LOCKERFLOW_CALLBACK_KEY', 'ä'.repeat(16)],
    ['LOCKERFLOW_CALLBACK_KEY', ','],
    ['LOCKERFLOW_CALLBACK_KEY', `${key},short`],
    ['LOCKERFLOW_CALLBACK_KEY', `${key},${key}-before,${key}-long-before`],
    ['LOCKERFLOW_CALLBACK_HMAC', 'algorithm=md5'],
    ['LOCKERFLOW_SERVICE_PROFILE', 'reads,flies'],
    ['LOCKERFLOW_BASE_URL', 'ftp://example'],
    ['LOCKERFLOW_ENVIRONMENT', 'live'],
  ]
  for (const [name, value] of wrong) {
    test(`${name}=${value} is named with an example`, ({ read }) => {
      expect(() => read({ [name]: value })).toThrow(SettingsError)
      expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name}: .+\\. Example: ${name}=`))
    })
  }

  test('every example can be used', () => {
    for (const { example, schema } of Object.values(gatewayVariables)) expect(() => schema.parse(example)).not.toThrow()
  })
})

describe('the callback key', () => {
  test('is required in production', ({ read }) => {
    const production = { LOCKERFLOW_ENVIRONMENT: 'production' }
    expect(() => read(production)).toThrow(/^LOCKERFLOW_CALLBACK_KEY: is missing/m)
    expect(() => read(production)).toThrow(/^LOCKERFLOW_GATEWAY_URL: is missing/m)
    const example = gatewayVariables.LOCKERFLOW_CALLBACK_KEY.example
    expect(() => read({ ...production, LOCKERFLOW_CALLBACK_KEY: example })).toThrow(
      /^LOCKERFLOW_CALLBACK_KEY: must be a secret of your own/m,
    )
  })

  test.for([
    ['', undefined, 'current'],
    [undefined, undefined, 'current'],
    ['too short', undefined, 'current'],
    [key, '', 'previous'],
  ] as const)('that a program gives follows the rule of the variable: %j, %j', ([current, previous, name]) => {
    const given = {
      keys: { current, previous } as CallbackKeys,
      temporal: { address: '127.0.0.1:1' },
      namespace: 'none',
    }
    expect(() => readReceiver(given, {})).toThrow(
      new RegExp(`^keys\\.${name}: must be 16 to 200 printable ASCII characters`),
    )
    expect(() => readSettings({}, undefined, given)).toThrow(SettingsError)
  })

  test('is generated once in staging, readable by its owner only', ({ read, folder }) => {
    const { current } = read({}).keys
    expect(current).toMatch(/^[\w-]{43}$/)
    expect(read({}).keys.current).toBe(current)
    expect(readFileSync(join(folder, 'callback.key'), 'utf8')).toBe(current)
    expect(statSync(join(folder, 'callback.key')).mode & 0o777).toBe(0o600)
  })

  test('that others may read is closed to them', ({ read, folder }) => {
    const { current } = read({}).keys
    chmodSync(join(folder, 'callback.key'), 0o644)
    expect(read({}).keys.current).toBe(current)
    expect(statSync(join(folder, 'callback.key')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('that was stored and corrupted is named', ({ read, folder }) => {
    read({})
    writeFileSync(join(folder, 'callback.key'), 'short')
    expect(() => read({})).toThrow(/^LOCKERFLOW_CALLBACK_KEY: .*callback\.key must be/)
  })
})
