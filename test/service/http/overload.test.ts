import { expect, onTestFinished, test, vi } from 'vitest'
import { healthPaths } from '#contract'
import type { Settings } from '#service'
import { maxWait } from '../../../service/store/index.ts'
import { holdStore } from '../../support/service/blockedRequests.ts'
import type { ServiceResponse, TestService } from '../../support/service/testService.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** Time for the service to notice, and to recover. Milliseconds. */
const waitOptions = { timeout: 30_000, interval: 20 }

test('while the event loop is slow, requests get 503 and Retry-After, and health checks an answer', async () => {
  const service = await start({ maxEventLoopDelay: 150 })
  // A busy machine can delay the loop while the service starts.
  await vi.waitFor(async () => expect((await read(service)).status).toBe(200), waitOptions)
  // Each turn of the loop blocks the service, which shares it.
  const blocking = setInterval(() => block(200), 0)
  onTestFinished(() => clearInterval(blocking))
  await vi.waitFor(async () => expectRejected(await read(service)), waitOptions)
  expect((await service.send(healthPaths.live)).status).toBe(200)
  // Its statements have two seconds, and each takes a turn.
  await vi.waitFor(async () => expect((await service.send(healthPaths.ready)).status).toBe(200), waitOptions)
  clearInterval(blocking)
  await vi.waitFor(async () => expect((await read(service)).status).toBe(200), waitOptions)
  expect(rejections(service)[0]).toMatchObject({ reason: 'eventLoopDelay' })
})

test('while the store is blocked, requests get 503 at once, and health checks an answer', async () => {
  const service = await start({ maxStoreWait: 100, lockTimeout: 30_000, statementTimeout: 60_000 })
  await service.token()
  const release = await holdStore(service)
  // As many as the store has connections, and some that wait for one.
  const waiting = Array.from({ length: 24 }, () => read(service))
  await vi.waitFor(() => expect(maxWait(service.store)).toBeGreaterThan(100), waitOptions)
  expectRejected(await read(service))
  expect((await service.send(healthPaths.live)).status).toBe(200)
  await release()
  for (const { status } of await Promise.all(waiting)) expect(status).toBeOneOf([200, 503])
  await vi.waitFor(async () => expect((await read(service)).status).toBe(200), waitOptions)
  // Work of the background may begin a transaction at this moment.
  await vi.waitFor(() => expect(maxWait(service.store)).toBe(0), waitOptions)
  expect(rejections(service)[0]).toMatchObject({ reason: 'storeWait' })
})

test('an embedded service has no limits by default', async () => {
  const service = await start({})
  expect(service.settings).toMatchObject({ maxEventLoopDelay: 0, maxStoreWait: 0 })
})

async function start(overrides: Partial<Settings>): Promise<TestService> {
  const world = await createWorld({ service: overrides })
  onTestFinished(() => world.stop())
  return world.service
}

const read = (service: TestService) => service.call('GetPickUpPoints', {})

function expectRejected({ status, headers, body }: ServiceResponse): void {
  expect({ status, error: body.error, success: body.success }).toEqual({
    status: 503,
    error: 'Unavailable',
    success: false,
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

function rejections({ lines }: TestService): readonly Record<string, unknown>[] {
  return lines.filter(({ msg }) => msg === 'requests rejected: service overloaded')
}

/** Blocks the event loop for this many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
