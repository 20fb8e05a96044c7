import { describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/service/site.ts'
import type { Step } from '../../support/service/steps.ts'

type Code = 'pickUpCode' | 'deliveryCode'

interface Row {
  readonly before: Step[]
  readonly goal: 'DropOff' | 'PickUp' | undefined
  /** The code that opens; undefined when none does. */
  readonly opens: Code | undefined
}

const rows: Row[] = [
  { before: ['Issue'], goal: 'DropOff', opens: 'deliveryCode' },
  { before: ['Issue'], goal: undefined, opens: 'deliveryCode' },
  { before: ['Issue', 'dropOff a'], goal: 'PickUp', opens: 'pickUpCode' },
  { before: ['Issue', 'dropOff a'], goal: undefined, opens: 'pickUpCode' },
  { before: ['Stock', 'dropOff a'], goal: undefined, opens: undefined },
]

describe.each(rows)('$before, with the goal $goal', ({ before, goal, opens }) => {
  test.each(['deliveryCode', 'pickUpCode', 'wrong'] as const)(`%s (it opens with ${opens})`, async code => {
    const site = await start(before)
    const shipment = await site.read('a')
    const pinCode = code === 'wrong' ? '1234567' : shipment[code]
    const { body } = await site.run('unlock DropOff a', { unlockGoal: goal, pinCode })
    expect(body.error).toBe(code === opens ? null : 'InvalidAccessCode')
    const { stateCode } = await site.read('a')
    expect(stateCode === shipment.stateCode).toBe(code !== opens || goal === undefined)
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
