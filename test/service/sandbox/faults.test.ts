import { expect, onTestFinished, test } from 'vitest'
import { operations } from '#contract'
import { startSite } from '../../support/service/site.ts'
import { startTestService } from '../../support/service/testService.ts'
import { topology } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const success = { success: true, error: null, message: null }
const none = { mutationConfigFails: false, hardwareFails: false }

test('the active faults are returned; null and absent change nothing', async () => {
  const world = await createWorld()
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
  await site.run('Issue')
  expect((await site.run('unlock DropOff a')).body.error).toBeNull()
})

test('hardware that fails opens no locker: UnlockFailed, nothing has changed, and afterwards it opens', async () => {
  const doors: unknown[] = []
  const site = await startSite({ hardware: { open: async door => doors.push(door) > 0 } })
  await site.run('Issue')
  await site.callbacks()
  const before = await site.read('a')
  await site.world.call('SetSandboxFaults', { hardwareFails: true })
  for (const unlockGoal of ['DropOff', null]) {
    expect((await site.run('unlock DropOff a', { unlockGoal })).body.error).toBe('UnlockFailed')
  }
  expect(await site.read('a')).toEqual(before)
  expect({ announced: await site.callbacks(), doors }).toEqual({ announced: [], doors: [] })
  await site.world.call('SetSandboxFaults', { hardwareFails: false })
  expect((await site.run('unlock DropOff a')).body.error).toBeNull()
  expect({ announced: await site.callbacks(), doors }).toMatchObject({
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

test.each([
  ['with one flag', { canChangeEmailAddress: false }, 'MutationConfigFailed'],
  ['without a flag', {}, 'MutationConfigFailed'],
  ['that is null', null, null],
])('a mutation configuration %s: %s', async (_name, mutationConfig, error) => {
  const { world } = await startSite()
  await world.call('SetSandboxFaults', { mutationConfigFails: true })
  const person = { firstName: 'Kim', lastName: 'Long', pickUpPointUid: 'square' }
  const account = { ...person, emailAddress: 'kim@home.example', mutationConfig }
  expect(await world.call('CreateAccount', account)).toMatchObject({ error })
})
