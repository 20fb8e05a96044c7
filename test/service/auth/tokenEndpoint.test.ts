import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { demoTopology } from '#service'
import { signInWith, startWithRegistry } from '../../support/service/registry.ts'
import { credentialsOf, startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ tokenLifetime: 600 })
})
afterAll(() => service.stop())

const good = credentialsOf('acme')
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const { client_id: _id, client_secret: _secret, ...withoutCredentials } = good
const { grant_type: _grant, ...withoutGrant } = good
const { scope: _scope, ...withoutScope } = good

describe('a token is issued (SPEC-85, SPEC-86)', () => {
  test.each([
    ['for credentials in the form', good, {}, {}],
    ['for credentials by HTTP Basic', withoutCredentials, basic('acme', 'acme-secret'), {}],
    [
      'with the client id in both places',
      { ...withoutCredentials, client_id: 'acme' },
      basic('acme', 'acme-secret'),
      {},
    ],
    // RFC 6749 section 5.1: the response names a scope that the request did not.
    ['with the default scope when none is asked', withoutScope, {}, { scope: 'integration_api' }],
    ['with the default scope when it is empty', { ...good, scope: '' }, {}, { scope: 'integration_api' }],
  ])('%s', async (_name, form, headers, more) => {
    const { status, body, headers: answered } = await service.signIn(form, headers)
    expect(status).toBe(200)
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 600, ...more })
    expect(answered.get('cache-control')).toBe('no-store')
    expect((await service.call('GetPickUpPoints', {}, { token: String(body.access_token) })).status).toBe(200)
  })
})

describe('no token is issued (RFC 6749 section 5.2)', () => {
  test.each([
    ['without a grant type', withoutGrant, {}, 400, 'invalid_request'],
    ['for another grant type', { ...good, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    ['for another scope', { ...good, scope: 'integration_api admin' }, {}, 400, 'invalid_scope'],
    ['without credentials', withoutCredentials, {}, 401, 'invalid_client'],
    ['with an empty secret', { ...good, client_secret: '' }, {}, 401, 'invalid_client'],
    ['for a wrong secret', { ...good, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
    ["for another client's secret", { ...good, client_id: 'globex' }, {}, 401, 'invalid_client'],
    ['for an unknown client', { ...good, client_id: 'nobody' }, {}, 401, 'invalid_client'],
    ['for a wrong secret by Basic', withoutCredentials, basic('acme', 'wrong'), 401, 'invalid_client'],
    ['for another scheme', withoutCredentials, { authorization: 'Digest x' }, 401, 'invalid_client'],
    ['with credentials twice', good, basic('acme', 'acme-secret'), 400, 'invalid_request'],
    ['with a field twice', `${new URLSearchParams(good)}&scope=integration_api`, {}, 400, 'invalid_request'],
    ['for a body of JSON', JSON.stringify(good), { 'content-type': 'application/json' }, 400, 'invalid_request'],
  ])('%s', async (_name, form, headers, status, error) => {
    const response = await service.signIn(form, headers)
    expect(response.status).toBe(status)
    expect(response.body).toEqual({
      error_description: expect.any(String),
      success: false,
      error,
      message: expect.any(String),
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="lockerflow"' : null)
  })
})

describe('a web page gets no token for a public secret', () => {
  test.each(['http://pages.example:8080', 'http://pages.example', 'https://localhost.pages.example', 'null'])(
    'of the origin %j, whatever Host it names',
    async origin => {
      const { hostname: host } = URL.parse(origin) ?? { hostname: 'localhost' }
      expect(await service.signIn(good, { origin, host })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', message: expect.stringContaining('LOCKERFLOW_PUBLIC_URL') },
      })
    },
  )

  test('and its wrong secrets lock no client', async () => {
    for (let count = 0; count < 10; count++) {
      await service.signIn({ ...good, client_secret: 'wrong' }, { origin: 'http://pages.example' })
    }
    expect((await service.signIn(good)).status).toBe(200)
  })

  test.each(['http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:8080'])(
    'unless it is a page of this machine, as of %s',
    async origin => {
      expect((await service.signIn(good, { origin })).status).toBe(200)
    },
  )

  test.each([
    ['of the public address', { publicUrl: 'https://lockers.example/api' }],
    ['where others than this machine reach the service', { host: '0.0.0.0' }],
    ['with a topology of its own', { topology: { ...demoTopology } }],
  ])('but %s', async (_name, settings) => {
    const own = await startTestService(settings)
    onTestFinished(() => own.stop())
    expect((await own.signIn(good, { origin: 'https://lockers.example' })).status).toBe(200)
  })
})

test('a form that is too large is rejected unread', async () => {
  const { status, body } = await service.signIn({ ...good, client_id: 'x'.repeat(20_000) })
  expect({ status, body }).toEqual({
    status: 413,
    body: { success: false, error: 'RequestTooLarge', message: expect.any(String) },
  })
})

test('wrong secrets lock out only that client for a while, the right secret included', async () => {
  const own = await startTestService()
  try {
    const wrong = { ...good, client_secret: 'wrong' }
    const first = await Promise.all(Array.from({ length: 20 }, () => own.signIn(wrong)))
    expect(first.filter(({ status }) => status === 401)).toHaveLength(5)
    const locked = await own.signIn(good)
    expect(locked.status).toBe(429)
    expect(locked.body.error).toBe('TooManyAttempts')
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await own.signIn(credentialsOf('globex'))).status).toBe(200)
    own.advance(Number(locked.headers.get('retry-after')) * 1_000)
    expect((await own.signIn(good)).status).toBe(200)
  } finally {
    await own.stop()
  }
})

test('each wrong secret after a lock doubles it', async () => {
  let now = Date.now()
  const own = await startTestService({ clock: () => now })
  const waits: number[] = []
  try {
    const wrong = { ...good, client_secret: 'wrong' }
    for (let count = 0; count < 5; count++) await own.signIn(wrong)
    for (let lock = 0; lock < 3; lock++) {
      const wait = Number((await own.signIn(wrong)).headers.get('retry-after'))
      waits.push(wait)
      now += wait * 1_000
      await own.signIn(wrong)
    }
  } finally {
    await own.stop()
  }
  expect(waits).toEqual([30, 60, 120])
})

test('a client that signs in more often than the rate limit allows is told to wait, and another one is not', async () => {
  const own = await startTestService({ rateLimit: 2, clock: () => 1_800_000_000_000 })
  onTestFinished(() => own.stop())
  const statuses: number[] = []
  for (let call = 0; call < 5; call++) statuses.push((await own.signIn(good)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
  const { headers, body } = await own.signIn(good)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(body).toMatchObject({ success: false, error: 'RateLimited' })
  expect((await own.signIn(credentialsOf('globex'))).status).toBe(200)
})

test('production grants no token for a weak secret that its store has from staging', async () => {
  const { databaseUrl, service, registry } = await startWithRegistry()
  expect((await service.signIn(good)).status).toBe(200)
  const { clientSecret } = await registry.add({ clientId: 'strong', tenantId: 'acme' })
  const production = await startTestService({ databaseUrl, acceptsWeakSecrets: false })
  onTestFinished(() => production.stop())
  expect(await production.signIn(good)).toMatchObject({
    status: 401,
    body: { error: 'invalid_client', message: expect.stringContaining('too weak for production') },
  })
  expect((await signInWith(production, 'strong', clientSecret)).status).toBe(200)
})
