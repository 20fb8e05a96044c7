import { describe, expect, test } from 'vitest'
import type { Hardware } from '#service'
import { never } from '../../support/service/callbacks.ts'
import { startSite } from '../../support/service/site.ts'
import { measureSlowness } from '../../support/slowness.ts'

/** Milliseconds. */
const unlockTimeout = 100

const faults: { what: string; open: Hardware['open'] }[] = [
  { what: 'says that it did not open', open: async () => false },
  { what: 'fails', open: () => Promise.reject(new Error('no answer from the controller')) },
  {
    what: 'throws at once',
    open() {
      throw new Error('not connected')
    },
  },
  { what: 'says nothing', open: () => never },
]

describe('a door that does not open is UnlockFailed, and nothing has changed (SPEC-94):', () => {
  test.each(faults)('the hardware $what', async ({ open }) => {
    let broken = true
    const hardware: Hardware = { open: (door, signal) => (broken ? open(door, signal) : Promise.resolve(true)) }
    const site = await startSite({ hardware, unlockTimeout })
    await site.run('IssueAndSwapIntake')
    await site.callbacks()
    const before = [await site.read('a'), await site.read('b')]
    const slowness = measureSlowness()
    const started = performance.now()
    for (const unlockGoal of ['DropOff', null]) {
      const { status, body } = await site.run('unlock DropOff a', { unlockGoal })
      expect({ status, error: body.error }).toEqual({ status: 200, error: 'UnlockFailed' })
    }
    expect((performance.now() - started) / slowness()).toBeLessThan(20 * unlockTimeout)
    expect([await site.read('a'), await site.read('b')]).toEqual(before)
    expect(await site.callbacks()).toEqual([])
    expect(site.world.service.lines.filter(({ msg }) => msg === 'locker door failed to open')).toMatchObject([
      { lockerUid: 'square:S1' },
      { lockerUid: 'square:S1' },
    ])
    broken = false
    expect((await site.run('unlock DropOff a')).body.error).toBeNull()
    expect(await site.callbacks()).toEqual(['a ReadyForPickup', 'b ReadyForDropOff'])
  })
})

test('hardware is told to abort when its caller no longer waits', async () => {
  const told = Promise.withResolvers<boolean>()
  const hardware: Hardware = {
    open(_door, signal) {
      signal.addEventListener('abort', () => told.resolve(true))
      return never
    },
  }
  const site = await startSite({ hardware, unlockTimeout })
  await site.run('Issue')
  await site.run('unlock DropOff a')
  expect(await told.promise).toBe(true)
})

test('the door opens only after all other checks', async () => {
  const asked: string[] = []
  const hardware: Hardware = { open: async ({ lockerName }) => asked.push(lockerName) > 0 }
  const site = await startSite({ hardware })
  await site.run('Issue')
  await site.run('unlock PickUp a')
  await site.run('unlock DropOff a', { pinCode: 'wrong' })
  expect(asked).toEqual([])
  await site.run('unlock DropOff a')
  expect(asked).toEqual(['S1'])
})
