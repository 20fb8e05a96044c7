import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessScope, discoveryPath, introspectionPath, keySetPath, tokenPath } from '#contract'
import { createLog } from '#platform/logs'
import { type AuthenticateParts, createAuthenticate } from '../../../gateway/flowApi/tokens/authenticate.ts'
import { clockTolerance } from '../../../gateway/flowApi/tokens/caller.ts'
import type { TokenIssuer } from '../../../gateway/flowApi/tokens/issuer.ts'
import { eventually } from '../../support/eventually.ts'
import { type Issuer, startIssuer } from '../../support/flowApi/issuer.ts'
import { createCertificate } from '../../support/servers/certificate.ts'
import { signInWith, startWithRegistry } from '../../support/service/registry.ts'
import { topology } from '../../support/service/topology.ts'
import { startServiceWorld } from '../../support/world/serviceWorld.ts'
import { silentLog } from '../../support/world/settings.ts'

let issuer: Issuer

beforeAll(async () => {
  issuer = await startIssuer()
})

afterAll(() => issuer.stop())

function accepting(issuers: readonly TokenIssuer[], changes: Partial<AuthenticateParts> = {}) {
  const authenticate = createAuthenticate({
    issuers,
    checkedTokens: 1_000,
    confirmation: { fresh: 50, maxAge: 60_000 },
    clock: Date.now,
    log: silentLog,
    ...changes,
  })
  return async (token: string | undefined, address = '203.0.113.1') =>
    authenticate(token === undefined ? undefined : `Bearer ${token}`, address)
}

const openId = (): TokenIssuer => ({ kind: 'openid', issuer: issuer.url, audience: issuer.audience })

describe('a token of the issuer is accepted', () => {
  test.each([
    ['scopes in scope', { scope: 'openid flows:read flows:write' }, ['flows:read', 'flows:write']],
    ['scopes in scp', { scope: undefined, scp: ['flows:read'] }, ['flows:read']],
    ['a text in scp', { scope: undefined, scp: 'flows:write' }, ['flows:write']],
    ['other scopes', { scope: 'flows:readx email' }, []],
    ['the scope of the service', { scope: accessScope, tenant: 'acme' }, []],
  ])('with %s', async (_, claims, scopes) => {
    const caller = await accepting([openId()])(await issuer.token({ claims }))
    expect([...caller.scopes]).toEqual(scopes)
    expect(caller.clientId).toBe('shop')
  })
})

describe('the roles of a caller', () => {
  const nested = { realm_access: { roles: ['staff'] } }
  const url = 'https://shop.example/roles'

  test.each([
    ['come from a list', { roles: ['staff', 'workshop'] }, undefined, ['staff', 'workshop']],
    ['come from a text, which is one role', { roles: 'shop staff' }, undefined, ['shop staff']],
    ['come from a claim with another name', { groups: ['staff'], roles: ['other'] }, 'groups', ['staff']],
    ['come from a claim whose name is an address', { [url]: ['staff'] }, url, ['staff']],
    ['come from a nested claim', nested, 'realm_access.roles', ['staff']],
    ['are none without the claim', nested, undefined, []],
    ['are none below a text', { roles: 'staff' }, 'roles.length', []],
    ['are texts only', { roles: ['', 7, null, { staff: true }, 'staff'] }, undefined, ['staff']],
  ] as const)('%s', async (_, claims, rolesClaim, roles) => {
    const authenticate = accepting([{ ...openId(), rolesClaim } as TokenIssuer])
    const caller = await authenticate(await issuer.token({ claims }))
    expect([...caller.roles]).toEqual(roles)
  })
})

test.each([null, 'JWT', 'at+jwt', 'application/at+jwt'])('a token of the type %s is accepted', async type => {
  expect(await accepting([openId()])(await issuer.token({ type }))).toMatchObject({ clientId: 'shop' })
})

test('an ID token for the same audience allows nothing', async () => {
  const idToken = { scope: undefined, nonce: 'n', at_hash: 'h' }
  const caller = await accepting([openId()])(await issuer.token({ type: 'JWT', claims: idToken }))
  expect([...caller.scopes]).toEqual([])
})

describe('a token is refused', () => {
  test.each([
    ['that ends a session', () => issuer.token({ type: 'logout+jwt' }), 'is a token of another type'],
    ['that proves a key', () => issuer.token({ type: 'dpop+jwt' }), 'is a token of another type'],
    ['that is missing', async () => undefined, 'An access token is required.'],
    ['that is not a token', async () => 'abc', 'The access token is not valid.'],
    ['of another issuer', () => issuer.token({ issuer: 'https://other.example' }), 'is of another issuer'],
    ['for another audience', () => issuer.token({ audience: 'other' }), 'is not valid'],
    ['that has expired', () => issuer.token({ lifetime: -60 }), 'has expired'],
    ['that is not valid yet', () => issuer.token({ claims: { nbf: Date.now() } }), 'is not valid'],
    ['without a subject', () => issuer.token({ claims: { sub: '' } }), 'names no subject'],
    ['of an unknown key', () => issuer.token({ kid: 'key-2' }), 'is not valid'],
    ['of another key with the same id', async () => issuer.token(await otherKey()), 'is not valid'],
    ['without a signature', async () => unsigned(), 'is not valid'],
    ['that is signed with a shared secret', () => symmetric(), 'is not valid'],
    ['that never expires', () => issuer.token({ lifetime: null }), 'is not valid'],
    ['whose claims were altered', async () => altered(await issuer.token()), 'is not valid'],
  ])('%s', async (_, token, message) => {
    await expect(accepting([openId()])(await token())).rejects.toMatchObject({
      code: 'Unauthorized',
      message: expect.stringContaining(message),
    })
  })

  async function otherKey() {
    return { key: (await generateKeyPair('ES256')).privateKey }
  }

  function unsigned(): string {
    return new UnsecuredJWT({ sub: 'shop', scope: 'flows:write' })
      .setIssuer(issuer.url)
      .setAudience(issuer.audience)
      .setExpirationTime('1h')
      .encode()
  }

  function symmetric(): Promise<string> {
    return new SignJWT({ sub: 'shop', scope: 'flows:write' })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .setIssuer(issuer.url)
      .setAudience(issuer.audience)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a-secret-of-thirty-two-characters'))
  }

  function altered(token: string): string {
    const [header, , signature] = token.split('.')
    const claims = { sub: 'admin', iss: issuer.url, aud: issuer.audience, exp: 9_999_999_999 }
    return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  }
})

test('a token that was accepted is refused once it has expired', async () => {
  let now = Date.now()
  const authenticate = accepting([openId()], { clock: () => now })
  const token = await issuer.token({ lifetime: 60 })
  await authenticate(token)
  now += (61 + clockTolerance) * 1_000
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'Unauthorized' })
})

test('a token has one answer within the tolerance of the clock, and one after it', async () => {
  const token = await issuer.token({ lifetime: 60 })
  let now = Number(decodeJwt(token).exp) * 1_000
  const authenticate = accepting([openId()], { clock: () => now })
  const answers = async () => {
    const codes: string[] = []
    for (let n = 0; n < 4; n++) {
      codes.push(
        await authenticate(token).then(
          () => 'ok',
          ({ code }) => code,
        ),
      )
    }
    return new Set(codes)
  }
  now += clockTolerance * 1_000 - 2_000
  expect(await answers()).toEqual(new Set(['ok']))
  now += 2_000
  expect(await answers()).toEqual(new Set(['Unauthorized']))
})

test('without the keys a known token is accepted, and a new one is told to come again', async () => {
  const own = await startIssuer()
  const source = { kind: 'openid', issuer: own.url, audience: own.audience } as const
  const authenticate = accepting([source])
  const known = await own.token()
  await authenticate(known)
  const listenAgain = await own.goAway()
  const anew = accepting([source])
  await expect(anew(await own.token())).rejects.toMatchObject({ code: 'Unavailable', status: 503 })
  expect(await authenticate(known)).toMatchObject({ clientId: 'shop' })
  // Another issuer's token needs no keys to be refused.
  await expect(anew(await own.token({ issuer: 'https://other.example' }))).rejects.toMatchObject({
    code: 'Unauthorized',
  })
  await listenAgain()
  await expect.poll(() => anew(known).catch(error => error), { timeout: 10_000 }).toMatchObject({ clientId: 'shop' })
  await own.stop()
})

test('while an issuer is away, its tokens are told to come again, and those of another one are accepted', async () => {
  const away = await startIssuer()
  await away.goAway()
  const service = { kind: 'service', authUrl: away.url, clientId: 'acme', clientSecret: 'acme-secret' } as const
  const authenticate = accepting([service, openId()])
  expect(await authenticate(await issuer.token())).toMatchObject({ clientId: 'shop' })
  await expect(authenticate(await away.token())).rejects.toMatchObject({ code: 'Unavailable' })
})

test('a subject of two issuers is two callers, and one caller with each of its tokens', async () => {
  const second = await startIssuer()
  const source = { kind: 'openid', issuer: second.url, audience: second.audience } as const
  const authenticate = accepting([openId(), source])
  const idOf = async (token: string) => (await authenticate(token)).id
  const id = await idOf(await issuer.token())
  expect(await idOf(await issuer.token({ claims: { jti: 'another' } }))).toBe(id)
  expect(await idOf(await second.token())).not.toBe(id)
  await second.stop()
})

test.each([
  ['of an unknown issuer', (jti: string) => issuer.token({ issuer: 'https://other.example', claims: { jti } })],
  ['of another type', (jti: string) => issuer.token({ type: 'logout+jwt', claims: { jti } })],
  ['of an unknown key', (jti: string) => issuer.token({ kid: 'key-2', claims: { jti } })],
  ['without a signature', async (jti: string) => new UnsecuredJWT({ jti }).setIssuer(issuer.url).encode()],
])('tokens %s leave the limit of checks to others', async (_, junk) => {
  const authenticate = accepting([openId()], { checkedTokens: 5 })
  const tokens = await Promise.all(Array.from({ length: 60 }, (_, index) => junk(String(index))))
  const codes = await Promise.all(tokens.map(token => authenticate(token).catch(({ code }) => code)))
  expect(new Set(codes)).toEqual(new Set(['Unauthorized']))
  expect(await authenticate(await issuer.token())).toMatchObject({ clientId: 'shop' })
})

test('a new token that many requests have at once is checked once', async () => {
  const authenticate = accepting([openId()], { checkedTokens: 5 })
  const [token, other] = await Promise.all([issuer.token(), issuer.token({ claims: { sub: 'another' } })])
  const code = (bearer: string) =>
    authenticate(bearer).then(
      () => 'ok',
      error => String(error.code),
    )
  const codes = await Promise.all([...Array.from({ length: 250 }, () => code(token)), code(other)])
  expect(new Set(codes)).toEqual(new Set(['ok']))
})

test('a forged token that many requests have at once is checked once, and refused', async () => {
  const authenticate = accepting([openId()], { checkedTokens: 5 })
  const { privateKey } = await generateKeyPair('ES256')
  const forged = await issuer.token({ key: privateKey })
  const codes = await Promise.all(Array.from({ length: 250 }, () => authenticate(forged).catch(({ code }) => code)))
  expect(new Set(codes)).toEqual(new Set(['Unauthorized']))
  expect(await authenticate(await issuer.token())).toMatchObject({ clientId: 'shop' })
})

test('forged tokens of one address beyond the limit are not checked, and callers of others and known ones still count', async () => {
  const authenticate = accepting([openId()], { checkedTokens: 5 })
  const known = await issuer.token()
  await authenticate(known)
  const { privateKey } = await generateKeyPair('ES256')
  const forged = await Promise.all(
    Array.from({ length: 60 }, (_, index) => issuer.token({ key: privateKey, claims: { jti: String(index) } })),
  )
  const codes = await Promise.all(forged.map(token => authenticate(token).catch(({ code }) => code)))
  expect(new Set(codes)).toEqual(new Set(['Unauthorized', 'Unavailable']))
  expect(codes.filter(code => code === 'Unauthorized').length).toBeLessThan(30)
  expect(await authenticate(known)).toMatchObject({ clientId: 'shop' })
  const anew = await issuer.token({ claims: { sub: 'another' } })
  expect(await authenticate(anew, '203.0.113.2')).toMatchObject({ clientId: 'another' })
})

test('clients of the service are accepted if they are of the tenant of the gateway', async () => {
  const world = await startServiceWorld({ log: silentLog })
  const authUrl = world.service.address
  const tokenOf = async (clientId: string) => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: `${clientId}-secret` }
    const body = new URLSearchParams({ ...form, scope: accessScope })
    const response = await fetch(authUrl + tokenPath, { method: 'POST', body })
    return ((await response.json()) as { access_token: string }).access_token
  }
  const client = { kind: 'service', authUrl, clientId: 'acme', clientSecret: 'acme-secret' } as const
  const authenticate = accepting([openId(), client])
  const caller = await authenticate(await tokenOf('acme'))
  expect(caller).toMatchObject({ clientId: 'acme' })
  expect([...caller.scopes]).toEqual(['flows:read', 'flows:write'])
  expect(caller.roles).toEqual(new Set())
  for (const roles of ['all', ['staff']] as const) {
    const inRoles = await accepting([{ ...client, roles }])(await tokenOf('acme'))
    expect(inRoles.roles).toEqual(roles === 'all' ? roles : new Set(roles))
  }
  await expect(authenticate(await tokenOf('globex'))).rejects.toMatchObject({
    code: 'Unauthorized',
    message: 'The access token is of another tenant.',
  })
  expect(await authenticate(await issuer.token())).toMatchObject({ clientId: 'shop' })
  await world.stop()
})

describe("another service than this project's", () => {
  /** The response of a path, where it is not that of a service at work. */
  type Answers = Record<string, { readonly status: number; readonly location?: string; readonly body?: object }>

  /** A service with one key. Its token endpoint and its introspection answer as given. Its document may name the latter. */
  async function startOther(answers: Answers, introspection?: string) {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256' }
    const sign = (type: string | undefined, scope: string) =>
      new SignJWT({ sub: 'shop', tenant: 'acme', scope })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1', ...(type !== undefined && { typ: type }) })
        .setIssuer(authUrl)
        .setAudience('lockerflow')
        .setExpirationTime('1h')
        .sign(privateKey)
    const server = createServer(async (request, response) => {
      const { status = 200, location, body } = answers[String(request.url)] ?? {}
      const bodies: Readonly<Record<string, object>> = {
        [discoveryPath]: {
          issuer: authUrl,
          jwks_uri: authUrl + keySetPath,
          ...(introspection && { introspection_endpoint: authUrl + introspection }),
        },
        [keySetPath]: { keys: [jwk] },
        [tokenPath]: { access_token: await sign('at+jwt', accessScope), token_type: 'Bearer', expires_in: 600 },
        [introspectionPath]: { active: true },
      }
      response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      response.end(JSON.stringify(body ?? bodies[String(request.url)] ?? {}))
    })
    const authUrl = await listen(server)
    const authenticate = accepting([{ kind: 'service', authUrl, clientId: 'acme', clientSecret: 'acme-secret' }])
    return { authenticate, sign }
  }

  test('has its tokens accepted without an introspection', async () => {
    const { authenticate, sign } = await startOther({ [introspectionPath]: { status: 404 } })
    expect(await authenticate(await sign('at+jwt', accessScope))).toMatchObject({ clientId: 'shop' })
  })

  test('has no token accepted while a proxy answers 404 for the introspection that its document names', async () => {
    const { authenticate, sign } = await startOther({ [introspectionPath]: { status: 404 } }, introspectionPath)
    await expect(authenticate(await sign('at+jwt', accessScope))).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('has no token accepted while its introspection fails', async () => {
    const { authenticate, sign } = await startOther({ [introspectionPath]: { status: 500 } })
    await expect(authenticate(await sign('at+jwt', accessScope))).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test.each([undefined, 'JWT'])('has its tokens of the type %s refused', async type => {
    const { authenticate, sign } = await startOther({})
    const token = await sign(type, accessScope)
    await expect(authenticate(token)).rejects.toMatchObject({ code: 'Unauthorized' })
  })

  test('has its tokens without the scope of clients allowed nothing', async () => {
    const { authenticate, sign } = await startOther({})
    for (const scope of ['flows:write', `${accessScope}x`, '']) {
      expect([...(await authenticate(await sign('at+jwt', scope))).scopes]).toEqual([])
    }
  })

  test('has its tokens accepted once the gateway can sign in', async () => {
    const answers: Answers = { [tokenPath]: { status: 503, body: {} } }
    const { authenticate, sign } = await startOther(answers)
    const token = await sign('at+jwt', accessScope)
    await expect(authenticate(token)).rejects.toMatchObject({ code: 'Unavailable' })
    delete answers[tokenPath]
    expect(await authenticate(token)).toMatchObject({ clientId: 'shop' })
  })

  test('gets the secret of the gateway alone, whatever redirects it answers', async () => {
    const seen: string[] = []
    const other = createServer((request, response) => {
      seen.push(String(request.url))
      response.writeHead(404).end()
    })
    const location = (await listen(other)) + tokenPath
    const { authenticate, sign } = await startOther({ [tokenPath]: { status: 307, location } })
    await expect(authenticate(await sign('at+jwt', accessScope))).rejects.toMatchObject({ code: 'Unavailable' })
    expect(seen).toEqual([])
  })
})

describe('the discovery document', () => {
  /** Serves a document, and keys that are never read. */
  async function startDocument(changed: { readonly issuer?: string }) {
    let reads = 0
    const server = createServer((_request, response) => {
      reads++
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ issuer: url, jwks_uri: issuer.url + keySetPath, ...changed }))
    })
    const url = await listen(server)
    const authenticate = accepting([{ kind: 'openid', issuer: url, audience: issuer.audience }])
    return { authenticate, url, reads: () => reads }
  }

  test('of an issuer names the keys, also those at another address', async () => {
    const { authenticate, url } = await startDocument({})
    expect(await authenticate(await issuer.token({ issuer: url }))).toMatchObject({ clientId: 'shop' })
  })

  test('of another issuer is refused, whatever keys it names', async () => {
    const { authenticate, url } = await startDocument({ issuer: issuer.url })
    await expect(authenticate(await issuer.token({ issuer: url }))).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('of an issuer with https names keys with https only', async () => {
    const { certificate, key } = createCertificate('127.0.0.1')
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, certificate])
    onTestFinished(() => setDefaultCACertificates(trusted))
    const keys = await (await fetch(issuer.url + keySetPath)).text()
    let keysAt = issuer.url
    const server = createSecureServer({ cert: certificate, key }, (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(request.url === keySetPath ? keys : JSON.stringify({ issuer: url, jwks_uri: keysAt + keySetPath }))
    })
    const url = (await listen(server)).replace('http:', 'https:')
    const lines: string[] = []
    const log = createLog('warn', { write: line => void lines.push(line) })
    const start = () => accepting([{ kind: 'openid', issuer: url, audience: issuer.audience }], { log })
    await expect(start()(await issuer.token({ issuer: url }))).rejects.toMatchObject({ code: 'Unavailable' })
    expect(lines.map(line => JSON.parse(line).reason)).toEqual([`jwks_uri of ${url} must be https`])
    keysAt = url
    expect(await start()(await issuer.token({ issuer: url }))).toMatchObject({ clientId: 'shop' })
  })

  test('that cannot be used is not read again for each token', async () => {
    const { authenticate, url, reads } = await startDocument({ issuer: issuer.url })
    const tokens = await Promise.all(
      [1, 2, 3, 4, 5].map(jti => issuer.token({ issuer: url, claims: { jti: String(jti) } })),
    )
    for (const token of tokens) await authenticate(token).catch(() => undefined)
    expect(reads()).toBeLessThan(tokens.length)
  })
})

/** Listens until the test has finished. */
async function listen(server: Server | SecureServer): Promise<string> {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a client of the service', () => {
  async function startWithShop(times: Partial<AuthenticateParts['confirmation']> = {}) {
    const { service, registry } = await startWithRegistry({ topology })
    const { clientSecret } = await registry.add({ clientId: 'shop', tenantId: 'acme' })
    const source = { kind: 'service', authUrl: service.address, clientId: 'acme', clientSecret: 'acme-secret' } as const
    const authenticate = accepting([source], { confirmation: { fresh: 50, maxAge: 60_000, ...times } })
    const tokenOf = async () => String((await signInWith(service, 'shop', clientSecret)).body.access_token)
    const codeOf = (token: string) =>
      authenticate(token).then(
        () => 'ok',
        error => String(error.code),
      )
    return { service, registry, authenticate, tokenOf, codeOf }
  }

  test('is refused once it is revoked, and accepted with a new token', async () => {
    const { registry, authenticate, tokenOf } = await startWithShop()
    const token = await tokenOf()
    expect(await authenticate(token)).toMatchObject({ clientId: 'shop' })
    await registry.revokeTokens('shop')
    const refusal = await eventually(() =>
      authenticate(token).then(
        () => undefined,
        error => error,
      ),
    )
    expect(refusal).toMatchObject({ code: 'Unauthorized', message: 'The access token was revoked.' })
    expect(await authenticate(await tokenOf())).toMatchObject({ clientId: 'shop' })
  })

  test('is accepted while the gateway signs in anew', async () => {
    const { service, registry, tokenOf, codeOf } = await startWithShop()
    const token = await tokenOf()
    expect(await codeOf(token)).toBe('ok')
    await registry.revokeTokens('acme')
    const refused = () => service.lines.some(({ operation, status }) => operation === 'introspect' && status === 401)
    await eventually(async () => (await codeOf(token)) === 'ok' && refused())
    expect(await codeOf(token)).toBe('ok')
    expect(await codeOf(await tokenOf())).toBe('ok')
  })

  test('costs one question in a while, however many requests it sends', async () => {
    const { service, tokenOf, codeOf } = await startWithShop({ fresh: 60_000 })
    const token = await tokenOf()
    const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(token)))
    expect(new Set([...codes, await codeOf(token)])).toEqual(new Set(['ok']))
    const questions = () => service.lines.filter(({ operation }) => operation === 'introspect').length
    expect(questions()).toBe(1)
    for (let n = 0; n < 50; n++) await codeOf(token)
    expect(questions()).toBe(1)
  })

  test('is accepted for a while when the service is away, and then told to come again', async () => {
    const { service, tokenOf, codeOf } = await startWithShop({ maxAge: 6_000 })
    const [known, other] = [await tokenOf(), await tokenOf()]
    expect(await codeOf(known)).toBe('ok')
    await service.stop()
    expect(await codeOf(known)).toBe('ok')
    await eventually(async () => (await codeOf(known)) === 'Unavailable')
    expect(await codeOf(other)).toBe('Unavailable')
  })
})
