import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readCallbacks, readLockers } from '../../../service/metrics/gauges.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const booking = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

test('lockers are counted by pick up point', async () => {
  const before = await readLockers(service.store)
  await service.call('CreateLocalShipmentAsStock', booking)
  const after = await readLockers(service.store)
  const freeAt = (points: typeof before) => points.find(({ pupUid }) => pupUid === 'pup-1')?.free ?? Number.NaN
  expect(freeAt(after)).toBe(freeAt(before) - 1)
  expect(after.map(({ pupUid, all }) => ({ pupUid, all }))).toEqual(before.map(({ pupUid, all }) => ({ pupUid, all })))
})

test('pick up points beyond the bound are added up', async () => {
  const all = await readLockers(service.store)
  const [first, ...rest] = all
  expect(rest.length).toBeGreaterThan(0)
  const bounded = await readLockers(service.store, 1)
  expect(bounded).toEqual([
    first,
    {
      pupUid: 'others',
      free: rest.reduce((sum, { free }) => sum + free, 0),
      all: rest.reduce((sum, point) => sum + point.all, 0),
    },
  ])
})

test('undelivered callbacks are counted, and those that were given up apart', async () => {
  expect(await readCallbacks(service.store)).toEqual({ pending: 0, givenUp: 0, oldestMs: 0 })
  // No process delivers to a closed port.
  await service.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  await service.call('CreateLocalShipmentAsStock', booking)
  const now = Date.now() + 60_000
  const { pending, givenUp, oldestMs } = await readCallbacks(service.store, now)
  expect({ pending, givenUp }).toEqual({ pending: 1, givenUp: 0 })
  expect(oldestMs).toBeGreaterThan(30_000)
  // An attempt that ends now sets the next one, which revives the message.
  await vi.waitFor(async () => {
    await service.store.updateTable('outbox').set({ dead_since: 1 }).execute()
    expect(await readCallbacks(service.store, now)).toEqual({ pending: 0, givenUp: 1, oldestMs: 0 })
  }, 10_000)
})
