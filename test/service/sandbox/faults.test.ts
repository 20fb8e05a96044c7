import { expect, onTestFinished, test } from 'vitest'
import { operations } from '#contract'
import { startTestService } from './harness.ts'
import { topology } from './places.ts'
import { startSite } from './site.ts'
import { startWorld } from './world.ts'

const success = { success: true, error: null, message: null }
const none = { mutationConfigFails: false, hardwareFails: false }

test('the faults in force are answered; null and absent leave one as it is', async () => {
  const world = await startWorld()
  onTestFinished(() => world.stop())
  for (const [ask, inForce] of [
    [{}, none],
    [{ hardwareFails: true }, { ...none, hardwareFails: true }],
    [{ mutationConfigFails: true }, { mutationConfigFails: true, hardwareFails: true }],
    [
      { mutationConfigFails: null, hardwareFails: null },
      { mutationConfigFails: true, hardwareFails: true },
    ],
    [{ hardwareFails: false }, { ...none, mutationConfigFails: true }],
    [{}, { ...none, mutationConfigFails: true }],
  ] as const) {
    expect(await world.call('SetSandboxFaults', ask)).toEqual({ ...success, ...inForce })
  }
})

test("a tenant's faults are its own", async () => {
  const site = await startSite()
  await site.world.call('SetSandboxFaults', { hardwareFails: true, mutationConfigFails: true }, 'globex')
  expect(await site.world.call('SetSandboxFaults', {})).toEqual({ ...success, ...none })
  await site.take('Issue')
  expect((await site.take('unlock DropOff a')).body.error).toBeNull()
})

test('hardware that fails opens no locker: UnlockFailed, nothing has changed, and afterwards it opens', async () => {
  const doors: unknown[] = []
  const site = await startSite({ hardware: { open: async door => doors.push(door) > 0 } })
  await site.take('Issue')
  await site.announced()
  const before = await site.look('a')
  await site.world.call('SetSandboxFaults', { hardwareFails: true })
  for (const unlockGoal of ['DropOff', null]) {
    expect((await site.take('unlock DropOff a', { unlockGoal })).body.error).toBe('UnlockFailed')
  }
  expect(await site.look('a')).toEqual(before)
  expect({ announced: await site.announced(), doors }).toEqual({ announced: [], doors: [] })
  await site.world.call('SetSandboxFaults', { hardwareFails: false })
  expect((await site.take('unlock DropOff a')).body.error).toBeNull()
  expect({ announced: await site.announced(), doors }).toMatchObject({
    announced: ['a ReadyForPickup'],
    doors: [{ lockerName: 'S1' }],
  })
})

test.each([
  { environment: 'staging', there: true },
  { environment: 'production', there: false },
] as const)('in $environment the operation is there and in the document: $there', async ({ environment, there }) => {
  const service = await startTestService({ topology, environment })
  onTestFinished(() => service.stop())
  const { status, body } = await service.call('SetSandboxFaults', {})
  expect({ status, error: body.error }).toEqual(
    there ? { status: 200, error: null } : { status: 404, error: 'UnknownOperation' },
  )
  const { body: document } = await service.send('/openapi.json')
  expect(operations.SetSandboxFaults.path in (document.paths as object)).toBe(there)
})
