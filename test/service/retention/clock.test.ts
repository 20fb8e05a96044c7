import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { defaultSettings } from '#service'
import { startRetention } from '../../../service/retention/index.ts'
import { readTime } from '../../../service/store/locks.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const day = 86_400_000

/** A world, and rounds of another process with this clock. Returns when one of them has purged a response of two days ago. */
async function purge(clock: () => number): Promise<readonly string[]> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { store } = world.service
  const response = { client_id: 'acme', fingerprint: 'f', status: 200, body: '{}', user_uid: null }
  const now = await readTime(store)
  const rows = [
    { ...response, key: 'old', created_at: now - 2 * day },
    { ...response, key: 'fresh', created_at: now },
  ]
  await store.insertInto('idempotency').values(rows).execute()
  const log = { info: vi.fn(), warn: vi.fn() }
  const retention = startRetention({ store, retention: defaultSettings.retention, purgeInterval: 50, clock, log })
  await vi.waitFor(() => expect(log.info).toHaveBeenCalled())
  await retention.stop()
  expect(log.warn).not.toHaveBeenCalled()
  return (await store.selectFrom('idempotency').select('key').execute()).map(({ key }) => key)
}

test.runIf(inject('postgres') !== undefined)(
  'a process whose clock is ahead of PostgreSQL purges nothing early',
  async () => {
    const machine = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => machine() + 2 * day)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await purge(() => Date.now())).toEqual(['fresh'])
  },
)

test('a clock that a test has moved ahead counts', async () => {
  expect(await purge(() => Date.now() + 2 * day)).toEqual([])
})
