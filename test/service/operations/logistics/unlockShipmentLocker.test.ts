import { describe, expect, test } from 'vitest'
import { type ErrorCode, type StateCode, stateCodes, states } from '#contract/terms'
import type { Door } from '#service'
import { type Site, startSite } from '../../../support/service/site.ts'
import { expectSound } from '../../../support/service/soundness.ts'
import type { Step } from '../../../support/service/steps.ts'

type Outcome = string | ErrorCode

interface Row {
  readonly before: Step[]
  readonly letter: string
  readonly state: StateCode
  /** The announced states of each goal, or its refusal. An ended shipment opens without a goal neither. */
  readonly dropOff: Outcome
  readonly pickUp: Outcome
}

const no = 'UnlockNotAllowed'
const gone = 'InvalidShipmentState'
const row = (before: Step[], letter: string, state: StateCode, dropOff: Outcome, pickUp: Outcome): Row => ({
  before,
  letter,
  state,
  dropOff,
  pickUp,
})

const swap: Step[] = ['IssueAndSwapIntake']
const rows: Row[] = [
  row(['Issue'], 'a', 'ReadyForDropOff', 'a ReadyForPickup', no),
  row(['Stock'], 'a', 'ReadyForDropOff', 'a WaitForReceiver', no),
  row(['Stock', 'dropOff a'], 'a', 'WaitForReceiver', no, no),
  row(['Issue', 'dropOff a'], 'a', 'ReadyForPickup', no, 'a Completed'),
  row(swap, 'b', 'WaitForPriorShipment', no, no),
  row([...swap, 'dropOff a'], 'a', 'ReadyForPickup', no, 'a Completed, b ReadyForPickup'),
  row([...swap, 'dropOff a'], 'b', 'ReadyForDropOff', 'a Completed, b ReadyForPickup', no),
  row([...swap, 'dropOff a', 'pickUp a'], 'b', 'ReadyForPickup', no, 'b Completed'),
  row(['IntakeAndCircularStock'], 'a', 'ReadyForDropOff', 'a Completed, b ReadyForPickup', no),
  row(['IntakeAndCircularStock', 'dropOff a'], 'b', 'ReadyForPickup', no, 'b Completed'),
  row(['Issue', 'cancel a'], 'a', 'Cancelled', gone, gone),
  row(['Issue', 'dropOff a', 'pickUp a'], 'a', 'Completed', gone, gone),
]

test('the rows cover every state, and only ended shipments do not open', () => {
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(stateCodes))
  for (const { state, dropOff, pickUp } of rows) {
    expect([state, dropOff === gone, pickUp === gone]).toEqual([state, states[state].final, states[state].final])
  }
})

describe.each(rows)('$before: $letter in $state', ({ before, letter, state, dropOff, pickUp }) => {
  test.each([
    ['DropOff', dropOff],
    ['PickUp', pickUp],
  ] as const)('with the goal %s (SPEC-28): %s', async (goal, outcome) => {
    const { site, doors } = await start(before)
    expect((await site.read(letter)).stateCode).toBe(state)
    const { error } = (await site.run(`unlock ${goal} ${letter}`)).body
    const announced = outcome.includes(' ') ? outcome.split(', ') : []
    expect({ error, announced: await site.callbacks() }).toEqual({
      error: announced.length > 0 ? null : outcome,
      announced,
    })
    expect(doors).toHaveLength(announced.length > 0 ? 1 : 0)
    await expectSound(site.world)
  })

  test.each([undefined, null])(
    'with the goal %s the door opens unless it has ended, and nothing changes (SPEC-29)',
    async goal => {
      const { site, doors } = await start(before)
      const there = await expectSound(site.world)
      const { body } = await site.run(`unlock DropOff ${letter}`, { unlockGoal: goal })
      const over = dropOff === gone
      expect(body).toMatchObject(over ? { success: false, error: gone } : { success: true, error: null })
      expect(doors).toMatchObject(over ? [] : [{ pupUid: 'square', lockerUid: 'square:S1', lockerName: 'S1' }])
      expect(await expectSound(site.world)).toEqual(there)
      expect(await site.callbacks()).toEqual([])
    },
  )
})

test('a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState (SPEC-29, SPEC-92)', async () => {
  const { site, doors } = await start(['Issue'])
  expect((await site.run('unlock DropOff z')).body.error).toBe('InvalidShipment')
  await site.world.service.store.updateTable('shipments').set({ locker_uid: null }).execute()
  expect((await site.run('unlock DropOff a')).body.error).toBe('InvalidShipmentState')
  expect(doors).toEqual([])
})

test('the locker of a shipment that has ended opens for the next one only', async () => {
  const { site, doors } = await start(['Issue', 'cancel a', 'Issue'])
  expect(await site.read('b')).toMatchObject({ lockerName: 'S1' })
  for (const [letter, error] of [
    ['a', gone],
    ['b', null],
  ] as const) {
    expect((await site.run(`unlock DropOff ${letter}`, { unlockGoal: null })).body.error).toBe(error)
  }
  expect(doors.map(({ lockerName }) => lockerName)).toEqual(['S1'])
})

test('an unknown goal is InvalidRequest (SPEC-58)', async () => {
  const { site } = await start(['Issue'])
  expect((await site.run('unlock DropOff a', { unlockGoal: 'Inspect' })).body.error).toBe('InvalidRequest')
})

test('a collection from a locker that stays booked changes nothing', async () => {
  const { site, doors } = await start(['CollectOnlyKept'])
  expect((await site.run('unlock PickUp a')).body.error).toBeNull()
  expect((await site.read('a')).stateCode).toBe('ReadyForPickup')
  expect(await site.callbacks()).toEqual([])
  expect(doors).toHaveLength(1)
})

/** A site with these steps behind it, and the doors that its hardware has opened since. */
async function start(before: Step[]): Promise<{ site: Site; doors: Door[] }> {
  const doors: Door[] = []
  const open = async (door: Door) => doors.push(door) > 0
  const site = await startSite({ hardware: { open } })
  for (const step of before) expect((await site.run(step)).body.error).toBeNull()
  await site.callbacks()
  return { site, doors }
}
