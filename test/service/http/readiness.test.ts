import { afterEach, expect, test } from 'vitest'
import { readinessChecks } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
afterEach(() => service.stop().catch(() => undefined))

async function missing() {
  const { status, body } = await service.send('/health/ready')
  return { status, missing: body.missing, error: body.error }
}

test('a service that lacks nothing is ready', async () => {
  service = await startTestService()
  expect(await missing()).toEqual({ status: 200, missing: [], error: null })
})

test('a service whose signing key was revoked elsewhere, or whose migrations are gone, names both', async () => {
  service = await startTestService({ revocationPollInterval: 3_600_000 })
  await service.store.deleteFrom('signing_keys').execute()
  await service.store.schema.dropTable('kysely_migration').execute()
  expect(await missing()).toEqual({
    status: 503,
    error: 'Unavailable',
    missing: [
      { name: 'migration', reason: 'Migrations of this version have not run' },
      { name: 'signingKey', reason: 'The key that signs tokens was revoked' },
    ],
  })
})

test('a service without its store names it, and no secret', async () => {
  service = await startTestService()
  await service.store.schema.dropTable('signing_keys').execute()
  expect(await missing()).toEqual({
    status: 503,
    error: 'Unavailable',
    missing: [{ name: 'store', reason: 'The store does not respond' }],
  })
})

test('every check has a process and a meaning', () => {
  for (const { processes, meaning } of Object.values(readinessChecks)) {
    expect(processes.length).toBeGreaterThan(0)
    expect(meaning).toMatch(/\.$/)
  }
})
