import { describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/service/site.ts'
import type { Step } from '../../support/service/steps.ts'

type Code = 'pickUpCode' | 'deliveryCode'

interface Row {
  readonly before: Step[]
  readonly goal: 'DropOff' | 'PickUp' | undefined
  /** The codes that open. */
  readonly opens: readonly Code[]
}

const either: readonly Code[] = ['deliveryCode', 'pickUpCode']

const rows: Row[] = [
  { before: ['Issue'], goal: 'DropOff', opens: ['deliveryCode'] },
  { before: ['Issue'], goal: undefined, opens: either },
  { before: ['Issue', 'dropOff a'], goal: 'PickUp', opens: ['pickUpCode'] },
  { before: ['Issue', 'dropOff a'], goal: undefined, opens: either },
  { before: ['Stock', 'dropOff a'], goal: undefined, opens: either },
]

describe.each(rows)('$before, with the goal $goal (SPEC-59, SPEC-93)', ({ before, goal, opens }) => {
  test.each(['deliveryCode', 'pickUpCode', 'wrong'] as const)(`%s (it opens with ${opens})`, async code => {
    const site = await start(before)
    const shipment = await site.read('a')
    const pinCode = code === 'wrong' ? '1234567' : shipment[code]
    const { body } = await site.run('unlock DropOff a', { unlockGoal: goal, pinCode })
    const isOpen = code !== 'wrong' && opens.includes(code)
    expect(body.error).toBe(isOpen ? null : 'InvalidAccessCode')
    const { stateCode } = await site.read('a')
    expect(stateCode === shipment.stateCode).toBe(!isOpen || goal === undefined)
  })

  test.each([undefined, null, ''])('without a code (%o) none is checked', async pinCode => {
    const site = await start(before)
    expect((await site.run('unlock DropOff a', { unlockGoal: goal, pinCode })).body.error).toBeNull()
  })
})

test('the common code of a swap opens either', async () => {
  for (const step of ['unlock PickUp a', 'unlock DropOff b'] as const) {
    const site = await start(['IssueAndSwapIntake', 'dropOff a'])
    const { pickUpCode } = await site.read('a')
    expect((await site.run(step, { pinCode: pickUpCode })).body.error).toBeNull()
    expect(await site.read('b')).toMatchObject({ stateCode: 'ReadyForPickup' })
  }
})

test('without a goal, a follower that waits opens with either of its codes', async () => {
  const site = await start(['IssueAndSwapIntake'])
  const { stateCode, deliveryCode, pickUpCode } = await site.read('b')
  expect(stateCode).toBe('WaitForPriorShipment')
  const unlock = async (pinCode: string | null) =>
    (await site.run('unlock DropOff b', { unlockGoal: null, pinCode })).body.error
  for (const code of [deliveryCode, pickUpCode]) expect(await unlock(code)).toBeNull()
  // The pick up code of the swapped shipment is the delivery code of the swap, so its delivery code is the foreign one.
  expect(await unlock((await site.read('a')).deliveryCode)).toBe('InvalidAccessCode')
  expect((await site.read('b')).stateCode).toBe('WaitForPriorShipment')
})

test('five wrong codes lock the locker for codes of both operations, but not for opening without one', async () => {
  const site = await start(['Issue'])
  const { deliveryCode, pickUpCode } = await site.read('a')
  for (const step of ['dropOff a', 'unlock DropOff a', 'dropOff a', 'unlock DropOff a', 'unlock DropOff a'] as const) {
    expect((await site.run(step, { pinCode: 'wrong' })).body.error).toBe('InvalidAccessCode')
  }
  const locked = await site.run('unlock DropOff a', { pinCode: deliveryCode })
  expect(locked.status).toBe(429)
  expect(locked.body.error).toBe('TooManyAttempts')
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(25)
  expect((await site.run('dropOff a')).body.error).toBe('TooManyAttempts')
  expect((await site.run('unlock DropOff a')).body.error).toBeNull()
  expect((await site.read('a')).stateCode).toBe('ReadyForPickup')
  site.world.service.advance(30_000)
  expect((await site.run('unlock PickUp a', { pinCode: pickUpCode })).body.error).toBeNull()
})

test('a code that is longer than any counts as a wrong one', async () => {
  const site = await start(['Issue'])
  const unlock = async (pinCode: string) =>
    (await site.run('unlock DropOff a', { unlockGoal: null, pinCode })).body.error
  for (let count = 0; count < 5; count++) expect(await unlock('1'.repeat(21))).toBe('InvalidAccessCode')
  expect(await unlock('1'.repeat(21))).toBe('TooManyAttempts')
})

test('a right code resets the count of wrong ones', async () => {
  const site = await start(['Issue'])
  const { deliveryCode } = await site.read('a')
  const unlock = async (pinCode: string | null) =>
    (await site.run('unlock DropOff a', { unlockGoal: null, pinCode })).body.error
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 4; count++) expect(await unlock('wrong')).toBe('InvalidAccessCode')
    expect(await unlock(deliveryCode)).toBeNull()
  }
})

test('the goal is checked before the code, which then does not count', async () => {
  const site = await start(['Issue'])
  for (let count = 0; count < 6; count++) {
    expect((await site.run('unlock PickUp a', { pinCode: 'wrong' })).body.error).toBe('UnlockNotAllowed')
  }
})

async function start(before: Step[]): Promise<Site> {
  const site = await startSite()
  for (const step of before) expect((await site.run(step)).body.error).toBeNull()
  return site
}
