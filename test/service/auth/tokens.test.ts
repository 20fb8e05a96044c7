import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { failed } from '#contract'
import type { Settings } from '#service'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'

async function start(overrides: Partial<Settings> = {}): Promise<TestService> {
  const service = await startTestService(overrides)
  onTestFinished(() => service.stop())
  return service
}

async function newKey(kid: string): Promise<{ privateKey: CryptoKey; signingKey: JWK }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { privateKey, signingKey: { ...(await exportJWK(privateKey)), kid } }
}

const statusOf = async (service: TestService, token: string) =>
  (await service.call('GetPickUpPoints', {}, { token })).status

const keySetOf = async (service: TestService) => {
  const { body } = await service.send('/.well-known/jwks.json')
  return { keys: body.keys as JWK[] }
}

test('tokens can be verified through the discovery document, which shows no private key', async () => {
  const service = await start()
  const { body } = await service.send('/.well-known/openid-configuration')
  expect(body).toMatchObject({
    issuer: service.address,
    token_endpoint: `${service.address}/connect/token`,
    jwks_uri: `${service.address}/.well-known/jwks.json`,
    introspection_endpoint: `${service.address}/connect/introspect`,
  })
  const keys = await keySetOf(service)
  expect(keys.keys.map(key => Object.keys(key))).not.toContainEqual(expect.arrayContaining(['d']))
  const { payload } = await jwtVerify(await service.token(), createLocalJWKSet(keys), {
    issuer: service.address,
    audience: 'lockerflow',
  })
  expect(payload).toMatchObject({ client_id: 'acme', tenant: 'acme', scope: 'integration_api' })
})

test('a token expires, even if it is cached (SPEC-87)', async () => {
  const service = await start({ tokenLifetime: 60 })
  const used = await service.token('acme')
  const unused = await service.token('globex')
  expect(await statusOf(service, used)).toBe(200)
  service.advance(61_000)
  for (const token of [used, unused]) {
    const response = await service.call('GetPickUpPoints', {}, { token })
    expect(response.status).toBe(401)
    expect(response.body).toEqual(failed('Unauthorized', 'The access token has expired.'))
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
  }
})

test('a token survives a restart and the replacement of the key that signed it', async () => {
  const databaseUrl = await temporaryStore()
  const publicUrl = 'https://lockers.example'
  const first = await start({ databaseUrl, publicUrl })
  const token = await first.token()
  await first.stop()
  const { signingKey } = await newKey('replacement')
  const second = await start({ databaseUrl, publicUrl, signingKey })
  expect(await statusOf(second, token)).toBe(200)
  expect(await statusOf(second, await second.token())).toBe(200)
  expect((await keySetOf(second)).keys).toHaveLength(2)
  second.advance(2 * 86_400_000)
  expect((await keySetOf(second)).keys).toMatchObject([{ kid: 'replacement' }])
})

test('a running process accepts the tokens of one that was started with a newer key', async () => {
  const databaseUrl = await temporaryStore()
  const publicUrl = 'https://lockers.example'
  const older = await start({ databaseUrl, publicUrl })
  expect(await statusOf(older, await older.token())).toBe(200)
  const newer = await start({ databaseUrl, publicUrl, signingKey: (await newKey('newer')).signingKey })
  // Immediately, even after requests with unknown keys.
  const { privateKey } = await newKey('unknown')
  const unknown = await new SignJWT(claims).setProtectedHeader({ ...header, kid: 'unknown' }).sign(privateKey)
  const made = Array.from({ length: 20 }, () => statusOf(older, unknown))
  expect(await statusOf(older, await newer.token())).toBe(200)
  expect(new Set(await Promise.all(made))).toEqual(new Set([401]))
})

test('a key that replaces another one under the same name invalidates its tokens', async () => {
  const databaseUrl = await temporaryStore()
  const publicUrl = 'https://lockers.example'
  const keys = [await newKey('main'), await newKey('main')] as const
  const first = await start({ databaseUrl, publicUrl, signingKey: keys[0].signingKey })
  const token = await first.token()
  await first.stop()
  const second = await start({ databaseUrl, publicUrl, signingKey: keys[1].signingKey })
  expect(await statusOf(second, await second.token())).toBe(200)
  expect(await statusOf(second, token)).toBe(200)
  const { keys: published } = await keySetOf(second)
  expect(published).toHaveLength(2)
  expect(new Set(published.map(({ kid }) => kid)).size).toBe(2)
  await jwtVerify(await second.token(), createLocalJWKSet({ keys: published }))
  await second.stop()
  const back = await start({ databaseUrl, publicUrl, signingKey: keys[0].signingKey })
  for (const one of [token, await second.token(), await back.token()]) expect(await statusOf(back, one)).toBe(200)
})

test('the private part of a configured key is not stored', async () => {
  const { signingKey } = await newKey('given')
  const service = await start({ signingKey })
  await service.token()
  const rows = await service.store.selectFrom('signing_keys').selectAll().execute()
  expect(rows.map(({ kid }) => kid)).toEqual(['given'])
  expect(rows[0]?.jwk).not.toContain(String(signingKey.d))
})

const claims = { client_id: 'acme', tenant: 'acme', scope: 'integration_api', gen: 0 }
const header = { alg: 'ES256', kid: 'given', typ: 'at+jwt' }

test.each([
  ['as it should be', claims, header, {}, 200],
  ['without the scope', { ...claims, scope: 'openid' }, header, {}, 403],
  ['without any scope', { client_id: 'acme', tenant: 'acme', gen: 0 }, header, {}, 403],
  ['without a tenant', { client_id: 'acme', scope: 'integration_api', gen: 0 }, header, {}, 401],
  ['without a generation', { ...claims, gen: undefined }, header, {}, 401],
  ['of another generation', { ...claims, gen: 1 }, header, {}, 401],
  ['of an unknown client', { ...claims, client_id: 'initech' }, header, {}, 401],
  ['of another issuer', claims, header, { issuer: 'https://elsewhere.example' }, 401],
  ['for another audience', claims, header, { audience: 'somebody' }, 401],
  ['of another type', claims, { ...header, typ: 'JWT' }, {}, 401],
  ['without an end', claims, header, { expires: false }, 401],
  ['with an unknown key', claims, { ...header, kid: 'unknown' }, {}, 401],
] as const)('a token %s', async (_name, payload, protectedHeader, other, status) => {
  const { privateKey, signingKey } = await newKey('given')
  const service = await start({ signingKey })
  const { issuer = service.address, audience = 'lockerflow', expires = true } = other as Record<string, never>
  const unsigned = new SignJWT(payload).setProtectedHeader(protectedHeader).setIssuer(issuer).setAudience(audience)
  const token = await (expires ? unsigned.setExpirationTime('1h') : unsigned).sign(privateKey)
  const response = await service.call('GetPickUpPoints', {}, { token })
  expect(response.status).toBe(status)
  if (status === 403) expect(response.headers.get('www-authenticate')).toContain('insufficient_scope')
})

test('a signature by another key is rejected', async () => {
  const service = await start({ signingKey: (await newKey('given')).signingKey })
  const [head, body, signature] = (await service.token()).split('.')
  const { privateKey } = await newKey('given')
  const forged = await new SignJWT(claims)
    .setProtectedHeader(header)
    .setIssuer(service.address)
    .setAudience('lockerflow')
    .setExpirationTime('1h')
    .sign(privateKey)
  const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')
  for (const token of [forged, `${none}.${body}.`, `${head}.${body}.`, `${head}.${body}.${signature?.slice(2)}`, 'x']) {
    expect(await statusOf(service, token)).toBe(401)
  }
})
