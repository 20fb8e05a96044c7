import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hour, movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { moments, stockThenIssue, visits } from '../../support/flows/moments.ts'
import { allNoticesOf, noticeKey } from '../../support/flows/notifications.ts'
import { requireRole } from '../../support/flows/underway.ts'
import { codeOf, useWorkshop } from '../../support/flows/useWorkshop.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useWorld } from '../../support/world/useWorld.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const world = useWorld(movableClock)
const { start, startFlow, bringIn, give, resultOf, putBack } = useWorkshop(world, {
  flows: [moments, stockThenIssue, visits],
  changes: () => ({ notifications: { url: receiver.url, key: noticeKey } }),
})

const within = (length: number) => new Date(Date.now() + length).toISOString()

interface Given {
  readonly neededBy?: string
  readonly wakeAt?: string
  readonly isUrgent?: boolean
  readonly windows?: Readonly<Record<string, string>>
}

function startMoments({ windows = {}, neededBy = within(3 * hour), wakeAt = within(hour), ...rest }: Given) {
  const request = { pickUpPointUid: 'pup-1', customerUid: world.userUid, neededBy, wakeAt, ...rest }
  return startFlow('moments', { booked: 1, request, windows })
}

function inStep(caseNo: string, name: string) {
  return world.statusWhen(caseNo, ({ step }) => step === name)
}

/** The client repeats an update that crosses another event of the flow, such as the end of a notification. */
async function end(caseNo: string) {
  const { kind: _, ...ended } = await world.flows.cancel(caseNo, 'test')
  return ended
}

/** The item was not placed in time, so that its locker is empty on this way to the step. */
const nothingLeft = { outcome: 'cancelled', leftOver: [] }

describe('a window that passes leads', () => {
  const arrival = '300ms'

  test('from a wait to a later question, whose window ends before a moment of the input', async () => {
    const neededBy = within(3 * hour)
    const caseNo = await startMoments({ neededBy, windows: { arrival } })
    const { deadline, asks } = await inStep(caseNo, 'consent')
    expect(asks).toMatchObject({ step: 'consent', who: 'customer' })
    expect(Date.parse(String(deadline))).toBe(Date.parse(neededBy) - hour)
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })

  test('past a target that the input leaves out, and past one whose condition is false', async () => {
    const caseNo = await startMoments({ isUrgent: true, windows: { arrival } })
    await inStep(caseNo, 'rest')
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })

  test('from a question to a step whose condition is false then, and refuses a late answer', async () => {
    const caseNo = await startMoments({ neededBy: within(hour + 300), windows: { arrival } })
    const { deadline } = await inStep(caseNo, 'rest')
    expect(deadline).not.toBeNull()
    expect(await codeOf(give(caseNo, { step: 'consent', answer: 'agree' }))).toBe('NotAskedYet')
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })

  test('from a question whose moment has passed already', async () => {
    const caseNo = await startMoments({ neededBy: within(-hour), windows: { arrival } })
    const { rejections } = await inStep(caseNo, 'rest')
    expect(JSON.stringify(rejections)).toContain('consent: the moment at which it ends has passed already')
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })
})

test('a sleep ends at its moment, and the flow hears callbacks meanwhile', async () => {
  const wakeAt = within(hour)
  const caseNo = await startMoments({ wakeAt, isUrgent: true, windows: { arrival: '300ms' } })
  const { shipments } = await inStep(caseNo, 'rest')
  await world.open(requireRole(shipments, 'issue'), 'deliveryCode')
  const heard = await world.statusWhen(caseNo, ({ shipments }) => shipments[0]?.stateCode === 'ReadyForPickup')
  await moveFlowClock(world, caseNo, hour / 2)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ step: 'rest' })
  await moveFlowClock(world, caseNo, hour + 1_000)
  const { since } = await inStep(caseNo, 'pickUp')
  expect(Date.parse(since)).toBeGreaterThanOrEqual(Date.parse(wakeAt))
  await world.open(requireRole(heard.shipments, 'issue'), 'pickUpCode')
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
})

describe('a moment of an answer', () => {
  /** A flow whose customer names a time of the visit that is this many milliseconds ahead. */
  async function arrange(ahead: number) {
    const caseNo = await startFlow('visits', { booked: 0, request: { pickUpPointUid: 'pup-1' } })
    await inStep(caseNo, 'visit')
    const visitAt = Date.now() + ahead
    await give(caseNo, { step: 'visit', answer: 'named', fields: { visitAt: new Date(visitAt).toISOString() } })
    return { caseNo, visitAt }
  }

  const instantOf = (moment: string | null) => Date.parse(String(moment))
  const passed = (step: string) => `${step}: the moment at which it ends has passed already`

  test('ends a question before it, and a sleep after it', async () => {
    const { caseNo, visitAt } = await arrange(3 * hour)
    const asked = await inStep(caseNo, 'preparation')
    expect(instantOf(asked.deadline)).toBe(visitAt - hour)
    await give(caseNo, { step: 'preparation', answer: 'done' })
    const { deadline, rejections } = await inStep(caseNo, 'stay')
    expect([instantOf(deadline), rejections]).toEqual([visitAt + 2 * hour, []])
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })

  test('lets the question pass that ends before it', async () => {
    const { caseNo, visitAt } = await arrange(hour + 15_000)
    const { since, rejections } = await inStep(caseNo, 'stay')
    expect(instantOf(since)).toBeGreaterThanOrEqual(visitAt - hour)
    expect(rejections).toEqual([])
    expect(await codeOf(give(caseNo, { step: 'preparation', answer: 'done' }))).toBe('NotAskedYet')
    expect(await end(caseNo)).toMatchObject(nothingLeft)
  })

  test('in the past is recorded, and lets the question pass at once', async () => {
    const { caseNo, visitAt } = await arrange(15_000 - 2 * hour)
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
    expect(Date.now()).toBeGreaterThanOrEqual(visitAt + 2 * hour)
    const { rejections } = await world.statusWhen(caseNo, () => true)
    expect(rejections.map(({ what }) => what)).toEqual([passed('preparation')])
  })

  test('so far in the past that the sleep has passed too is recorded for both', async () => {
    const { caseNo } = await arrange(-3 * hour)
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
    const { rejections } = await world.statusWhen(caseNo, () => true)
    expect(rejections.map(({ what }) => what)).toEqual([passed('preparation'), passed('stay')])
  })
})

test('flow.asked is sent with the question, signed and without personal data', async () => {
  const caseNo = await start(2)
  const { shipmentUid, pupUid, lockerName } = await bringIn(caseNo)
  await give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 4_900 }, by: 'kim@example.org' })
  await putBack(caseNo)
  const sent = await allNoticesOf(receiver, caseNo)
  expect(sent.filter(({ type }) => type === 'flow.asked')).toEqual([
    {
      type: 'flow.asked',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        flow: 'workshop',
        caseNo,
        runId: expect.any(String),
        sequence: 2,
        stage: 'offer',
        state: 'waiting',
        asks: { who: 'customer', answers: ['agree', 'decline'] },
        shipments: [{ role: 'device', shipmentUid, stateCode: 'ReadyForPickup', pupUid, lockerName }],
      },
    },
  ])
  expect(JSON.stringify(sent)).not.toMatch(new RegExp(`kim@example|4900|${world.userUid}`))
})

describe('two roles of one shipment', () => {
  async function issue() {
    const request = { pickUpPointUid: 'pup-1', customerUid: world.userUid }
    const caseNo = await startFlow('stockThenIssue', { booked: 1, request })
    const { shipments } = await inStep(caseNo, 'dropOff')
    await world.open(requireRole(shipments, 'stock'), 'deliveryCode')
    return inStep(caseNo, 'pickUp')
  }

  test('get the state of each callback', async () => {
    const { caseNo, shipments } = await issue()
    const [stock, issued] = ['stock', 'issue'].map(role => requireRole(shipments, role))
    expect(issued?.shipmentUid).toBe(stock?.shipmentUid)
    await world.open(requireRole(shipments, 'issue'), 'pickUpCode')
    const result = await resultOf(caseNo)
    expect(result).toMatchObject({ outcome: 'completed', leftOver: [] })
    expect(result.shipments.map(({ stateCode }) => stateCode)).toEqual(['Completed', 'Completed'])
  })

  test('are one left-over of a cancelled flow', async () => {
    const { caseNo, shipments } = await issue()
    const { shipmentUid, pupUid, lockerName } = requireRole(shipments, 'stock')
    const left = { step: 'stocking', shipmentUid, reason: 'there is an item in the locker', pupUid, lockerName }
    expect(await end(caseNo)).toEqual({ outcome: 'cancelled', leftOver: [left] })
    await world.openShipment(shipmentUid, 'pickUpCode')
  })
})
