import { expect, onTestFinished, test } from 'vitest'
import { demoTopology, type Topology } from '#service'
import { signInWith, startWithRegistry } from '../../support/service/registry.ts'
import { startTestService } from '../../support/service/testService.ts'

type Client = Topology['tenants'][number]['clients'][number]

/** The demonstration topology with another client of acme. */
const withClient = (client: Client): Topology => ({
  ...demoTopology,
  tenants: demoTopology.tenants.map(tenant => (tenant.name === 'acme' ? { ...tenant, clients: [client] } : tenant)),
})

async function restart(databaseUrl: string, topology: Topology) {
  const service = await startTestService({ databaseUrl, topology })
  onTestFinished(() => service.stop())
  return {
    service,
    accepted: async (...secrets: string[]) => {
      const found: boolean[] = []
      for (const secret of secrets) found.push((await signInWith(service, 'acme', secret)).status === 200)
      return found
    },
  }
}

test('a later file replaces a secret, and an old file does not bring the old secret back', async () => {
  const { databaseUrl, service } = await startWithRegistry()
  await service.stop()
  const replaced = await restart(databaseUrl, withClient({ clientId: 'acme', clientSecret: 'second-secret' }))
  expect(await replaced.accepted('acme-secret', 'second-secret')).toEqual([false, true])
  const old = await restart(databaseUrl, demoTopology)
  expect(await old.accepted('acme-secret', 'second-secret')).toEqual([false, true])
})

test('a topology leaves secrets alone that the command has changed, and switches nothing on', async () => {
  const { databaseUrl, registry } = await startWithRegistry()
  const { clientSecret } = await registry.rotate({ clientId: 'acme', overlap: 0 })
  const again = await restart(databaseUrl, demoTopology)
  expect(await again.accepted('acme-secret', clientSecret)).toEqual([false, true])
  expect(again.service.lines).toContainEqual(expect.objectContaining({ clientIds: ['acme'] }))
  await registry.disable({ clientId: 'acme' })
  const disabled = await restart(databaseUrl, withClient({ clientId: 'acme', clientSecret: 'third-secret' }))
  expect(await disabled.accepted('third-secret', clientSecret)).toEqual([false, false])
  expect((await registry.list()).clients.find(({ clientId }) => clientId === 'acme')?.isDisabled).toBe(true)
})
