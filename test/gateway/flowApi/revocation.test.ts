import { afterAll, expect, test } from 'vitest'
import { openClientRegistry } from '#service'
import { openStream } from '../../support/flowApi/eventStream.ts'
import { callsOf, useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { book } from '../../support/flows/booking.ts'
import { signInWith } from '../../support/service/registry.ts'
import { newFolder } from '../../support/service/temporaryStore.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const { folder, remove } = newFolder()
const databaseUrl = `file:${folder}/service.db`

// Before the hooks of the world, since hooks run in reverse.
afterAll(remove)

const world = useWorld({ service: { databaseUrl } })
const flowApi = useFlowApi(world)

test('a revoked client of the service loses its open streams and its requests, and nothing of another one', async () => {
  const registry = await openClientRegistry(databaseUrl)
  const { clientSecret } = await registry.add({ clientId: 'shop', tenantId: 'acme' })
  const { address } = await flowApi.open({
    issuers: [{ kind: 'service', authUrl: world.service.address, clientId: 'acme', clientSecret: 'acme-secret' }],
    limits: { confirmation: { fresh: 200, maxAge: 60_000 } },
  })
  const token = String((await signInWith(world.service, 'shop', clientSecret)).body.access_token)
  const { caseNo } = await book(world, 'stock')
  const follow = (bearer: string) => openStream(`${address}/flows/${caseNo}/events`, bearer)
  const [lost, kept] = [await follow(token), await follow(await world.service.token('acme'))]
  await lost.until(({ event }) => event === 'Stage')
  await registry.revokeTokens('shop')
  expect((await lost.until(() => false)).some(({ event }) => event === 'Ended')).toBe(false)
  expect(await callsOf(address, token)('GET', `/flows/${caseNo}`)).toMatchObject({
    status: 401,
    body: { code: 'Unauthorized', detail: expect.stringContaining('was revoked') },
  })
  await world.flows.cancel(caseNo, 'over')
  expect((await kept.until(() => false)).at(-1)).toMatchObject({ event: 'Ended' })
  await registry.close()
})
