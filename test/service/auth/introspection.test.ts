import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { startWithRegistry } from '../../support/service/registry.ts'
import type { TestService } from '../../support/service/testService.ts'

const path = '/connect/introspect'

async function introspect(service: TestService, token: string, client = 'acme') {
  const authorization = `Bearer ${await service.token(client)}`
  return service.send(path, { method: 'POST', headers: { authorization }, body: new URLSearchParams({ token }) })
}

test('tells a client of the tenant, and no other one, whether a token is accepted', async () => {
  const { service } = await startWithRegistry()
  const token = await service.token('acme')
  const { status, body, headers } = await introspect(service, token)
  expect({ status, body }).toEqual({ status: 200, body: { active: true, client_id: 'acme' } })
  expect(headers.get('cache-control')).toBe('no-store')
  for (const [other, client] of [[token, 'globex'], [`${token.slice(0, -8)}AAAAAAAA`], ['no token']] as const)
    expect((await introspect(service, other, client)).body).toEqual({ active: false })
})

test('a token that was revoked or has expired is inactive', async () => {
  const { service, registry } = await startWithRegistry({ tokenLifetime: 60 })
  const token = await service.token('acme')
  const { clientSecret } = await registry.add({ clientId: 'asking', tenantId: 'acme' })
  const form = { client_id: 'asking', client_secret: clientSecret, grant_type: 'client_credentials' }
  const { body } = await service.signIn(form)
  const headers = { authorization: `Bearer ${body.access_token}` }
  const ask = (given: unknown) =>
    service.send(path, { method: 'POST', headers, body: new URLSearchParams({ token: String(given) }) })
  expect((await ask(token)).body).toMatchObject({ active: true })
  await registry.revokeTokens('acme')
  await eventually(async () => (await ask(token)).body.active === false)
  service.advance(61_000)
  const renewed = await service.signIn(form)
  headers.authorization = `Bearer ${renewed.body.access_token}`
  expect((await ask(body.access_token)).body).toEqual({ active: false })
})

test('is refused without a token of the caller, and without a form', async () => {
  const { service } = await startWithRegistry()
  const authorization = `Bearer ${await service.token()}`
  const body = new URLSearchParams({ token: 'any' })
  expect((await service.send(path, { method: 'POST', body })).body).toMatchObject({ error: 'Unauthorized' })
  for (const other of [new URLSearchParams(), new URLSearchParams('token=a&token=b'), '{"token":"any"}']) {
    const response = await service.send(path, { method: 'POST', headers: { authorization }, body: other })
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  }
})

test('has ten times the rate limit', async () => {
  const { service } = await startWithRegistry({ rateLimit: 1, clock: () => 1_800_000_000_000 })
  const token = await service.token('acme')
  const headers = { authorization: `Bearer ${token}` }
  const ask = () => service.send(path, { method: 'POST', headers, body: new URLSearchParams({ token }) })
  for (let call = 0; call < 20; call++) expect((await ask()).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 429, body: { error: 'RateLimited' } })
})
