import { expect, test } from 'vitest'
import { openClientRegistry } from '#service'
import { signInWith, startWithRegistry } from '../../support/service/registry.ts'

const day = 86_400_000

test('each secret of a client has an end of its own', async () => {
  const { service, registry } = await startWithRegistry()
  const first = await registry.add({ clientId: 'robot', tenantId: 'acme', lifetime: 90 * day })
  const statusOf = async (secret: string) => (await signInWith(service, 'robot', secret)).status
  expect(first.clientSecret).toMatch(/^[\w-]{43}$/)
  const second = await registry.rotate({ clientId: 'robot', overlap: day, lifetime: 30 * day })
  expect(second.previousExpiresAt).toBeGreaterThan(Date.now())
  expect([await statusOf(first.clientSecret), await statusOf(second.clientSecret)]).toEqual([200, 200])
  service.advance(2 * day)
  expect([await statusOf(first.clientSecret), await statusOf(second.clientSecret)]).toEqual([401, 200])
  service.advance(30 * day)
  expect(await statusOf(second.clientSecret)).toBe(401)
  expect((await registry.list()).clients.find(({ clientId }) => clientId === 'robot')?.secrets).toEqual([])
  const third = await registry.rotate({ clientId: 'robot', overlap: day })
  expect(third).not.toHaveProperty('previousExpiresAt')
  expect(await statusOf(third.clientSecret)).toBe(200)
})

test('a rotation does not prolong a secret that ends before', async () => {
  const { service, registry } = await startWithRegistry()
  const first = await registry.add({ clientId: 'robot', tenantId: 'acme', lifetime: day })
  const second = await registry.rotate({ clientId: 'robot', overlap: 30 * day })
  expect(second.previousExpiresAt).toBe(first.expiresAt)
  service.advance(day)
  expect((await signInWith(service, 'robot', first.clientSecret)).status).toBe(401)
  expect((await signInWith(service, 'robot', second.clientSecret)).status).toBe(200)
})

test('after a leak, rotation without overlap ends both secrets at once', async () => {
  const { service, registry } = await startWithRegistry()
  const second = await registry.rotate({ clientId: 'acme', overlap: day })
  const third = await registry.rotate({ clientId: 'acme', overlap: 0 })
  const secrets = ['acme-secret', second.clientSecret, third.clientSecret]
  const found = await Promise.all(secrets.map(async secret => (await signInWith(service, 'acme', secret)).status))
  expect(found).toEqual([401, 401, 200])
})

test('an argument that is wrong is named, and nothing changes', async () => {
  const { registry } = await startWithRegistry()
  const before = await registry.list()
  await expect(registry.add({ clientId: 'acme', tenantId: 'acme' })).rejects.toThrow('client id: must be new')
  await expect(registry.add({ clientId: 'new', tenantId: 'initech' })).rejects.toThrow('--tenant: must be a tenant')
  await expect(registry.add({ clientId: 'with blank', tenantId: 'acme' })).rejects.toThrow('client id: must be 1 to 64')
  await expect(registry.rotate({ clientId: 'robot', overlap: 0 })).rejects.toThrow('client id: must be a client')
  await expect(registry.disable({ tenantId: 'initech' })).rejects.toThrow('--tenant: must be a tenant of the store')
  expect(await registry.list()).toEqual(before)
})

test('a file that does not exist is not created', async () => {
  await expect(openClientRegistry('file:/nowhere/service.db')).rejects.toThrow('must be an existing store')
})
