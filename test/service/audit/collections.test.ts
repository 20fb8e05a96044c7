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
  await log.endDecisions('acme')
  expect(await lateIn(100 * hour)).toBe(0)
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
