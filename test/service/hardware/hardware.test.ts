import { describe, expect, test } from 'vitest'
import type { Hardware } from '#service'
import { never } from './callbacks.ts'
import { startSite } from './site.ts'

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

describe('a door that does not open is UnlockFailed, and nothing has changed:', () => {
  test.each(faults)('the hardware $what', async ({ open }) => {
    let broken = true
    const hardware: Hardware = { open: (door, signal) => (broken ? open(door, signal) : Promise.resolve(true)) }
    const site = await startSite({ hardware, unlockTimeout })
    await site.take('IssueAndSwapIntake')
    await site.announced()
    const before = [await site.look('a'), await site.look('b')]
    const started = performance.now()
    for (const unlockGoal of ['DropOff', null]) {
      const { status, body } = await site.take('unlock DropOff a', { unlockGoal })
      expect({ status, error: body.error }).toEqual({ status: 200, error: 'UnlockFailed' })
    }
    expect(performance.now() - started).toBeLessThan(20 * unlockTimeout)
    expect([await site.look('a'), await site.look('b')]).toEqual(before)
    expect(await site.announced()).toEqual([])
    expect(site.world.service.lines.filter(({ msg }) => msg === 'a door did not open')).toMatchObject([
      { lockerUid: 'square:S1' },
      { lockerUid: 'square:S1' },
    ])
    broken = false
    expect((await site.take('unlock DropOff a')).body.error).toBeNull()
    expect(await site.announced()).toEqual(['a ReadyForPickup', 'b ReadyForDropOff'])
  })
})

test('hardware that nobody waits for any more is told so', async () => {
  const told = Promise.withResolvers<boolean>()
  const hardware: Hardware = {
    open(_door, signal) {
      signal.addEventListener('abort', () => told.resolve(true))
      return never
    },
  }
  const site = await startSite({ hardware, unlockTimeout })
  await site.take('Issue')
  await site.take('unlock DropOff a')
  expect(await told.promise).toBe(true)
})

test('a door is asked for after everything else has been looked at', async () => {
  const asked: string[] = []
  const hardware: Hardware = { open: async ({ lockerName }) => asked.push(lockerName) > 0 }
  const site = await startSite({ hardware })
  await site.take('Issue')
  await site.take('unlock PickUp a')
  await site.take('unlock DropOff a', { pinCode: 'wrong' })
  expect(asked).toEqual([])
  await site.take('unlock DropOff a')
  expect(asked).toEqual(['S1'])
})
