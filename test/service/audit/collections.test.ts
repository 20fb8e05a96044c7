import { expect, onTestFinished, test } from 'vitest'
import { openAuditLog, openClientRegistry } from '#service'
import { readLateness } from '../../../service/audit/index.ts'
import { openStore } from '../../../service/store/index.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService } from '../../support/service/testService.ts'

const hour = 3_600_000

async function open() {
  const databaseUrl = await temporaryStore()
  const service = await startTestService({ databaseUrl })
  const [store, log] = [await openStore(databaseUrl), await openAuditLog(databaseUrl)]
  onTestFinished(async () => {
    await Promise.all([store.destroy(), log.close(), service.stop()])
  })
  const lateIn = async (milliseconds: number) =>
    Math.round((await readLateness(store, Date.now() + milliseconds)) / hour)
  return { databaseUrl, log, lateIn }
}

test('a pass is late from its moment on, until one succeeds', async () => {
  const { log, lateIn } = await open()
  expect(await lateIn(100 * hour)).toBe(0)
  await log.expectDecisions('acme', hour)
  expect([await lateIn(0), await lateIn(3 * hour)]).toEqual([0, 2])
  // A process that starts again and again stays late.
  await log.expectDecisions('acme', 50 * hour)
  expect(await lateIn(3 * hour)).toBe(2)
  await log.noteDecisionsAdded('acme', 24 * hour)
  expect([await lateIn(3 * hour), await lateIn(25 * hour)]).toEqual([0, 1])
  await log.expectDecisions('globex', 200 * hour)
  await log.endDecisions('acme')
  expect([await lateIn(100 * hour), await lateIn(201 * hour)]).toEqual([0, 1])
})

test('the latest pass of all tenants counts, and a removed tenant has none', async () => {
  const { databaseUrl, log, lateIn } = await open()
  await log.noteDecisionsAdded('acme', 24 * hour)
  await log.expectDecisions('globex', hour)
  expect(await lateIn(4 * hour)).toBe(3)
  const registry = await openClientRegistry(databaseUrl)
  await registry.disable({ tenantId: 'globex' })
  await registry.remove({ tenantId: 'globex' })
  await registry.close()
  expect([await lateIn(4 * hour), await lateIn(26 * hour)]).toEqual([0, 2])
  expect([await log.hasTenant('acme'), await log.hasTenant('globex')]).toEqual([true, false])
})

test('a decision by a caller with control characters in its name is added, and so are later ones', async () => {
  const { log } = await open()
  const at = Date.now()
  const decisions = async function* () {
    yield { source: 'run:1', at, workflowId: 'case:C-1', detail: 'extend by nexus:shop/\0\u001b[8m' }
    yield { source: 'run:2', at, workflowId: 'case:C-1', detail: 'cancel by client:acme' }
  }
  expect(await log.addDecisions('acme', decisions())).toBe(2)
  const added: unknown[] = []
  for await (const { action, detail } of log.read({})) if (action === 'flow.decided') added.push(detail)
  expect(added).toEqual(['extend by nexus:shop/\ufffd\ufffd[8m', 'cancel by client:acme'])
})
