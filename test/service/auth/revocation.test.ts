import { decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '#service'
import { openStore } from '../../../service/store/index.ts'
import { eventually } from '../../support/eventually.ts'
import { signInWith, startWithRegistry, statusWith } from '../../support/service/registry.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { booking } from '../../support/service/topology.ts'
import { measureSlowness } from '../../support/slowness.ts'

const publicUrl = 'https://lockers.example'

/** A second is promised, and a loaded machine takes longer. */
async function ended(service: TestService, token: string): Promise<void> {
  const slowness = measureSlowness()
  const start = performance.now()
  await eventually(async () => (await statusWith(service, token)) === 401)
  expect((performance.now() - start) / slowness()).toBeLessThan(5_000)
}

async function newToken(service: TestService, clientSecret = 'acme-secret'): Promise<string> {
  const { status, body } = await signInWith(service, 'acme', clientSecret)
  expect(status).toBe(200)
  return String(body.access_token)
}

test('revoked tokens end at every process, and the client gets new ones at once', async () => {
  const { databaseUrl, service, registry } = await startWithRegistry({ publicUrl })
  const other = await startTestService({ databaseUrl, publicUrl })
  onTestFinished(() => other.stop())
  const token = await newToken(service)
  expect([await statusWith(service, token), await statusWith(other, token)]).toEqual([200, 200])
  await registry.revokeTokens('acme')
  // Both at once, before and after they have read the revocation.
  const renewed = await newToken(service)
  expect([await statusWith(service, renewed), await statusWith(other, renewed)]).toEqual([200, 200])
  await ended(service, token)
  await ended(other, token)
  const { body } = await service.call('GetPickUpPoints', {}, { token })
  expect(body).toMatchObject({
    error: 'Unauthorized',
    message: expect.stringContaining('The access token was revoked.'),
  })
  expect((await other.call('GetPickUpPoints', {}, { client: 'globex' })).status).toBe(200)
})

test('a client that is disabled has no tokens and gets none; enabled again, it gets new ones', async () => {
  const { service, registry } = await startWithRegistry()
  const token = await newToken(service)
  await registry.disable({ clientId: 'acme' })
  const { status, body } = await signInWith(service, 'acme', 'acme-secret')
  expect({ status, body }).toMatchObject({ status: 401, body: { message: 'The client is disabled.' } })
  await ended(service, token)
  await registry.enable({ clientId: 'acme' })
  expect(await statusWith(service, await newToken(service))).toBe(200)
  expect(await statusWith(service, token)).toBe(401)
})

test('other clients keep their tokens, secrets and stored responses when one is revoked, disabled or removed', async () => {
  const { service, registry } = await startWithRegistry()
  const second = await registry.add({ clientId: 'second', tenantId: 'acme' })
  const { body } = await signInWith(service, 'second', second.clientSecret)
  const tokens = [String(body.access_token), await service.token('globex')]
  const options = { client: 'globex', headers: { 'idempotency-key': 'kept' } }
  await service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, options)
  const others = async () => ({
    statuses: await Promise.all(tokens.map(token => statusWith(service, token))),
    clients: (await registry.list()).clients.filter(({ clientId }) => clientId !== 'acme'),
    responses: await service.store.selectFrom('idempotency').select(['client_id', 'key']).execute(),
  })
  const before = await others()
  expect(before).toMatchObject({ statuses: [200, 200], responses: [{ client_id: 'globex', key: 'kept' }] })
  for (const change of [registry.revokeTokens, (clientId: string) => registry.disable({ clientId })]) {
    const token = await newToken(service)
    await change('acme')
    await ended(service, token)
    expect(await others()).toEqual(before)
  }
  await registry.remove({ clientId: 'acme' })
  expect(await others()).toEqual(before)
})

test('a tenant that is disabled ends the tokens of its clients, and of no others', async () => {
  const { service, registry } = await startWithRegistry()
  const second = await registry.add({ clientId: 'second', tenantId: 'acme' })
  const added = await signInWith(service, 'second', second.clientSecret)
  const foreign = await service.token('globex')
  const tokens = [await newToken(service), String(added.body.access_token)]
  // The second client is newer than the last read of the service.
  for (const token of tokens) expect(await statusWith(service, token)).toBe(200)
  await registry.disable({ tenantId: 'acme' })
  for (const token of tokens) await ended(service, token)
  expect((await signInWith(service, 'second', second.clientSecret)).body.message).toBe('The client is disabled.')
  expect(await statusWith(service, foreign)).toBe(200)
})

test('the tokens of a revoked signing key end, and the service signs with a new one', async () => {
  const { service, registry } = await startWithRegistry()
  const token = await newToken(service)
  const { kid = '' } = decodeProtectedHeader(token)
  await registry.revokeKey(kid)
  await ended(service, token)
  const renewed = await newToken(service)
  expect(decodeProtectedHeader(renewed).kid).not.toBe(kid)
  expect(await statusWith(service, renewed)).toBe(200)
  const { body } = await service.send('/.well-known/jwks.json')
  expect((body.keys as { kid: string }[]).map(key => key.kid)).not.toContain(kid)
})

test('a configured key is revoked after it was replaced, and no setting brings it back', async () => {
  const newKey = async (kid: string) => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    return { ...(await exportJWK(privateKey)), kid }
  }
  const [first, second] = [await newKey('first'), await newKey('second')]
  const { databaseUrl, service, registry } = await startWithRegistry({ publicUrl, signingKey: first })
  const token = await newToken(service)
  await expect(registry.revokeKey('first')).rejects.toThrow('--key: must not be in use')
  await expect(registry.revokeKey('third')).rejects.toThrow('--key: must be a key of the store, got "third".')
  const replaced = await startTestService({ databaseUrl, publicUrl, signingKey: second })
  onTestFinished(() => replaced.stop())
  expect(await statusWith(replaced, token)).toBe(200)
  await registry.revokeKey('first')
  await ended(replaced, token)
  await expect(startService({ databaseUrl, signingKey: first })).rejects.toThrow('the key first was revoked')
})

test('a removed client stays removed when a service starts with the same topology', async () => {
  const { databaseUrl, service, registry } = await startWithRegistry({ publicUrl })
  const token = await newToken(service)
  await expect(registry.remove({ clientId: 'acme' })).rejects.toThrow('client id: must be disabled')
  await registry.disable({ clientId: 'acme' })
  await registry.remove({ clientId: 'acme' })
  await ended(service, token)
  const restarted = await startTestService({ databaseUrl, publicUrl })
  onTestFinished(() => restarted.stop())
  expect(restarted.lines).toContainEqual(
    expect.objectContaining({ msg: 'client secrets of the topology ignored', clientIds: ['acme'] }),
  )
  expect((await signInWith(restarted, 'acme', 'acme-secret')).status).toBe(401)
  const { clientSecret } = await registry.add({ clientId: 'acme', tenantId: 'acme' })
  expect(await statusWith(restarted, await newToken(restarted, clientSecret))).toBe(200)
  expect(await statusWith(restarted, token)).toBe(401)
})

test('requests read no client, secret or key from the store', async () => {
  const { databaseUrl, service } = await startWithRegistry({ publicUrl })
  const token = await newToken(service)
  const store = await openStore(databaseUrl)
  onTestFinished(() => store.destroy())
  // A statement that reads one of them fails.
  for (const table of ['clients', 'client_secrets', 'signing_keys'])
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(store)
  for (let request = 0; request < 20; request++) expect(await statusWith(service, token)).toBe(200)
  expect((await signInWith(service, 'acme', 'acme-secret')).status).toBe(500)
})
