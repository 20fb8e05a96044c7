import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { type Lockers, type LockersOptions, startLockers } from '#testing'
import { eventually } from '../support/eventually.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'

/** The states of the callbacks that reached a flow, in their order. */
async function signalledStates(caseNo: string): Promise<string[]> {
  const { events } = await lockers.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const signals = (events ?? []).flatMap(event => event.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [])
  return signals.flatMap(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()).stateCode ?? [])
}

/** Milliseconds, for a loaded machine. */
const timeout = 180_000
let lockers: Lockers
let count = 0

beforeAll(async () => {
  lockers = await startLockers({ temporal: inject('temporal'), bundle: await bundle() })
})

afterEach(() => lockers.faults.clear())
afterAll(() => lockers.stop())

/** Starts an issue to a user, and returns its case number. */
async function issue(windows: Record<string, string> = {}): Promise<string> {
  count += 1
  const caseNo = `testing-${count}`
  const ToUserUid = await lockers.people.create('robin')
  const started = await lockers.flows.startAndWaitForBooking('issue', {
    caseNo,
    request: { ...parcel, ToUserUid },
    windows: windows as never,
  })
  expect(started).toMatchObject({ kind: 'Booked' })
  return caseNo
}

async function untilStage(caseNo: string, stage: string): Promise<void> {
  await eventually(async () => {
    const found = await lockers.flows.status(caseNo)
    return found.kind === 'Status' && found.status.stage === stage
  })
}

describe('people', { timeout }, () => {
  test('take an issue to its end', async () => {
    const caseNo = await issue()
    await lockers.people.dropOff(caseNo)
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await lockers.notifications.next('flow.ended', { caseNo })).toMatchObject({ data: { caseNo } })
    // An entry is added when the service has its response, which may be after the flow has ended.
    await lockers.callbacks.next(entry => entry.caseNo === caseNo && entry.stateCode === 'Completed')
    const states = lockers.callbacks.of(caseNo).map(({ stateCode, status }) => [stateCode, status])
    expect(states).toEqual([
      ['ReadyForDropOff', 204],
      ['ReadyForPickup', 204],
      ['Completed', 204],
    ])
    expect(lockers.requests.of(caseNo)).toMatchObject([{ operation: 'CreateLocalShipmentAsIssue', error: null }])
  })

  test('enter wrong codes', async () => {
    const caseNo = await issue()
    expect(await lockers.people.openWithWrongCode(caseNo)).toBe('InvalidAccessCode')
    await lockers.flows.cancel(caseNo, 'over')
  })

  test('who never come let the window pass', async () => {
    const caseNo = await issue({ pickUp: '48h' })
    await lockers.people.dropOff(caseNo)
    await lockers.callbacks.next(entry => entry.caseNo === caseNo && entry.stateCode === 'ReadyForPickup')
    await untilStage(caseNo, 'pickUp')
    await lockers.people.neverCome(caseNo)
    await lockers.notifications.next('flow.overdue', { caseNo })
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

test('the clock moves the service and the flows', { timeout }, async () => {
  const caseNo = await issue({ dropOff: '48h' })
  const before = lockers.clock.now()
  await lockers.clock.advance('49h')
  expect(lockers.clock.now() - before).toBeGreaterThanOrEqual(49 * 3_600_000)
  expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired' } })
  const { items } = await lockers.api.call('GetShipments', { referenceCaseNo: caseNo })
  const [shipment] = items
  expect(shipment).toMatchObject({ stateCode: 'Cancelled' })
  expect(Date.parse(`${shipment?.stateStart}Z`)).toBeGreaterThan(before + 48 * 3_600_000)
})

describe('working time', { timeout }, () => {
  const visit = {
    name: 'visit',
    summary: 'A visit is prepared.',
    input: {},
    steps: [
      {
        name: 'preparation',
        summary: 'A person prepares the visit.',
        ask: { done: {} },
        who: 'staff',
        window: { workingTime: '1h' },
        onTimeout: 'remind',
      },
    ],
  } as const satisfies FlowDeclaration

  /** The deadline of an hour of working time from now. */
  async function deadlineBy(calendars: Pick<LockersOptions, 'calendars'>): Promise<Date> {
    await using own = await startLockers({
      ...calendars,
      temporal: inject('temporal'),
      bundle: await bundle(),
      flows: [visit],
    })
    count += 1
    const caseNo = `visit-${count}`
    await own.flows.start('visit', { caseNo, request: {} })
    const deadline = await eventually(async () => {
      const found = await own.flows.status(caseNo)
      return (found.kind === 'Status' && found.status.deadline) || undefined
    })
    await own.flows.cancel(caseNo, 'over')
    return new Date(deadline)
  }

  test('is that of weekdays from nine to five', async () => {
    const deadline = await deadlineBy({})
    expect([1, 2, 3, 4, 5]).toContain(deadline.getUTCDay())
    expect([9, 10, 11, 12, 13, 14, 15, 16, 17]).toContain(deadline.getUTCHours())
  })

  test('is that of a calendar file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-calendars-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'calendars.yaml')
    const always = '["00:00-24:00"]'
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const hours = days.map(day => `    ${day}: ${always}\n`).join('')
    await writeFile(file, `timeZone: UTC\ndefault:\n  hours:\n${hours}`)
    const before = Date.now()
    const deadline = await deadlineBy({ calendars: file })
    expect(deadline.getTime()).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(deadline.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000)
    await expect(startLockers({ calendars: join(folder, 'none.yaml') })).rejects.toThrow(/^calendars: must be a file/)
  })
})

describe('faults', { timeout }, () => {
  test('of late callbacks', async () => {
    const caseNo = await issue()
    lockers.faults.set({ callbacks: 'late' })
    await lockers.people.dropOff(caseNo)
    await lockers.callbacks.next(entry => entry.caseNo === caseNo && entry.status === 503)
    expect(await lockers.flows.status(caseNo)).toMatchObject({ status: { stage: 'dropOff' } })
    lockers.faults.clear()
    await untilStage(caseNo, 'pickUp')
    await lockers.flows.cancel(caseNo, 'over')
  })

  test('of callbacks that arrive twice', async () => {
    lockers.faults.set({ callbacks: 'twice' })
    const caseNo = await issue()
    await lockers.people.dropOff(caseNo)
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    const statesOf = () => lockers.callbacks.of(caseNo).map(({ stateCode }) => stateCode)
    const states = ['ReadyForDropOff', 'ReadyForPickup', 'Completed']
    // The second arrival may come after the flow has ended.
    await eventually(() => statesOf().length >= 2 * states.length)
    expect(statesOf()).toEqual(states.flatMap(state => [state, state]))
  })

  test('of callbacks out of order', async () => {
    const caseNo = await issue()
    await lockers.callbacks.next(entry => entry.caseNo === caseNo)
    lockers.faults.set({ callbacks: 'outOfOrder' })
    await lockers.people.dropOff(caseNo)
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    // The signal of the delayed one may miss the flow, which has ended.
    expect((await signalledStates(caseNo)).slice(0, 2)).toEqual(['ReadyForDropOff', 'Completed'])
  })

  test('of lost callbacks, which a poll makes good', async () => {
    const caseNo = await issue()
    lockers.faults.set({ callbacks: 'lost' })
    await lockers.people.dropOff(caseNo)
    await lockers.callbacks.next(entry => entry.caseNo === caseNo && entry.stateCode === 'ReadyForPickup')
    expect(await lockers.flows.status(caseNo)).toMatchObject({ status: { stage: 'dropOff' } })
    await lockers.clock.advance('2h')
    expect(await lockers.flows.status(caseNo)).toMatchObject({ status: { stage: 'pickUp' } })
    await lockers.flows.cancel(caseNo, 'over')
  })

  test.each([['slow'], ['unreachable'], [500]] as const)(
    'of a service that is %s, in which a booking waits',
    async service => {
      const ToUserUid = await lockers.people.create('robin')
      lockers.faults.set({ service })
      const caseNo = `testing-${service}`
      const start = performance.now()
      const booked = lockers.flows.startAndWaitForBooking('issue', { caseNo, request: { ...parcel, ToUserUid } })
      const { status } = await lockers.requests.next(entry => entry.caseNo === caseNo)
      expect(status).toBe({ slow: 200, unreachable: null, 500: 500 }[service])
      if (service === 'slow') expect(performance.now() - start).toBeGreaterThan(1_900)
      lockers.faults.clear()
      expect(await booked).toMatchObject({ kind: 'Booked' })
      await lockers.flows.cancel(caseNo, 'over')
    },
  )

  test('of a door that is stuck', async () => {
    const caseNo = await issue()
    lockers.faults.set({ door: 'stuck' })
    await expect(lockers.people.dropOff(caseNo)).rejects.toMatchObject({ code: 'UnlockFailed' })
    lockers.faults.clear()
    await lockers.people.dropOff(caseNo)
    await lockers.flows.cancel(caseNo, 'over')
  })

  // A program in JavaScript, whose compiler does not see the mistake.
  test.for<[object, string]>([
    [{ callbacks: 'laet' }, 'callbacks: must be late, twice, outOfOrder, lost or null, got "laet".'],
    [{ service: 99 }, 'service: must be a status from 200 to 599, slow, unreachable or null, got 99.'],
    [{ doors: 'stuck' }, 'doors: must be one of callbacks, service, door.'],
  ])('%j is refused', ([mistaken, message]) => {
    lockers.faults.set({ door: 'stuck' })
    expect(() => lockers.faults.set(mistaken)).toThrow(new TypeError(message))
    lockers.faults.set({ callbacks: 'twice', door: undefined } as object)
    expect(lockers.faults.current).toEqual({ callbacks: 'twice', service: null, door: 'stuck' })
  })
})

describe('a snapshot', { timeout }, () => {
  test('brings back a flow, its shipment and the time, and what came later is gone', async () => {
    const caseNo = await issue({ dropOff: '48h' })
    await lockers.callbacks.next(entry => entry.caseNo === caseNo)
    const before = lockers.clock.now()
    const snapshot = await lockers.snapshot()
    const later = await issue()
    await lockers.clock.advance('49h')
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired' } })

    await lockers.restore(snapshot)
    expect(lockers.clock.now() - before).toBeLessThan(3_600_000)
    expect(await lockers.flows.status(caseNo)).toMatchObject({ status: { stage: 'dropOff', state: 'waiting' } })
    const { items } = await lockers.api.call('GetShipments', { referenceCaseNo: later })
    expect(items).toEqual([])
    await lockers.people.dropOff(caseNo)
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('has no callback of later acts', async () => {
    const caseNo = await issue()
    await lockers.people.dropOff(caseNo)
    await untilStage(caseNo, 'pickUp')
    const snapshot = await lockers.snapshot()
    lockers.faults.set({ callbacks: 'outOfOrder' })
    await lockers.people.pickUp(caseNo)
    await lockers.callbacks.next(entry => entry.caseNo === caseNo && entry.stateCode === 'Completed')
    await lockers.restore(snapshot)
    lockers.faults.clear()
    for (let round = 0; round < 5; round++) {
      await lockers.clock.advance('1m')
      expect(await lockers.flows.status(caseNo)).toMatchObject({ status: { stage: 'pickUp', state: 'waiting' } })
      expect(await signalledStates(caseNo)).not.toContain('Completed')
      await lockers.people.pickUp(caseNo)
      await lockers.restore(snapshot)
    }
    await lockers.people.pickUp(caseNo)
    expect(await lockers.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('of the start is restored by reset', async () => {
    const completed = await issue()
    await lockers.people.dropOff(completed)
    await lockers.people.pickUp(completed)
    await lockers.flows.result(completed)
    const caseNo = await issue()
    lockers.faults.set({ callbacks: 'late' })
    await lockers.clock.advance('1h')
    await lockers.reset()
    expect(await lockers.api.call('GetShipments', {})).toMatchObject({ items: [] })
    expect(Math.abs(lockers.clock.now() - Date.now())).toBeLessThan(1_000)
    expect(lockers.faults.current).toMatchObject({ callbacks: null })
    expect(lockers.callbacks.entries).toEqual([])
    await expect(lockers.people.dropOff(caseNo, { timeout: 0 })).rejects.toThrow('had no shipment')
    // The case number of a terminated flow is free, and that of a completed one is not. Its request named another user.
    const request = { ...parcel, ToUserUid: await lockers.people.create('robin') }
    expect(await lockers.flows.start('issue', { caseNo, request })).toMatchObject({ kind: 'Started' })
    const again = await lockers.flows.start('issue', { caseNo: completed, request })
    expect(again).toMatchObject({ kind: 'CaseInUse' })
  })
})

describe('histories', { timeout }, () => {
  test('are recorded and replayed', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'lockerflow-histories-'))
    const folder = join(parent, 'new')
    try {
      const caseNo = await issue({ dropOff: '48h' })
      await lockers.clock.advance('49h')
      await lockers.flows.result(caseNo)
      await lockers.recordHistory(caseNo, join(folder, 'expired.json'))
      expect(await lockers.replay(folder)).toBe(1)
      const text = await lockers.recordHistory(caseNo)
      await writeFile(join(folder, 'other.json'), text.replaceAll('planAndBook', 'anotherActivity'))
      await expect(lockers.replay(folder)).rejects.toThrow(/1 of 2 histories do not replay:\n.*other.json/)
    } finally {
      await rm(parent, { recursive: true })
    }
  })

  test('are missing in an empty folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-histories-'))
    await expect(lockers.replay(folder)).rejects.toThrow('folder: must have histories')
    await rm(folder, { recursive: true })
  })
})
