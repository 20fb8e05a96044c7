import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { eventually, gate } from '../../support/eventually.ts'
import { book, rejectionsOf } from '../../support/flows/booking.ts'
import { eventsOf, failedTasks, textOf, wasDelayed } from '../../support/flows/history.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { allNoticesOf, isSignedBy, noticeKey, noticesOf } from '../../support/flows/notifications.ts'
import { resetToStart } from '../../support/flows/reset.ts'
import { stages } from '../../support/flows/stages.ts'
import { isWellNamed, namedIn } from '../../support/flows/summaries.ts'
import { startFor, startWith, walk } from '../../support/flows/underway.ts'
import { type Answer, type Answers, type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { holdPort } from '../../support/servers/heldPort.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** Events of an issue that has no notices (eventCount.test.ts), and of a notice that is taken at once. */
const [maxAlone, eventsOfSender] = [29, 11]

/** Events of a flow that learns that a notification was delivered. It rarely learns that of its last two before it ends. */
const perDelivery = 4

let receiver: Receiver
let notifications: { url: string; key: string }

beforeAll(async () => {
  receiver = await startReceiver()
  notifications = { url: receiver.url, key: noticeKey }
  await world.restartWorker({ notifications })
})

beforeEach(() => receiver.answer(() => ({ status: 204 })))

afterAll(() => receiver.stop())

/** A whole issue whose attempts were in time; answers its case number and how long it took on an idle machine. */
async function liveIssue() {
  for (;;) {
    const issue = await liveOnce()
    if (!(await wasDelayed(world, issue.caseNo))) return issue
  }
}

async function liveOnce() {
  const slowness = measureSlowness()
  const begun = performance.now()
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  return { caseNo, shipment, took: (performance.now() - begun) / slowness() }
}

/** A window passes, is extended, and passes again; the second notice says that the first was not repeated before. */
async function expectAsked(caseNo: string, stage: string): Promise<void> {
  expect(await world.statusWhen(caseNo, ({ overdue }) => overdue)).toMatchObject({ stage, deadline: null })
  await world.flows.decide(caseNo, { decision: 'extend', by: '100ms' })
  await eventually(() => overdueOf(caseNo).length === 2)
}

/** Nothing but the two of `expectAsked`, and the stages before, and the end. */
async function expectToldOf(caseNo: string, stage: string): Promise<void> {
  const told = await allNoticesOf(receiver, caseNo)
  const overdue = { type: 'flow.overdue', data: { stage, state: 'overdue', caseNo } }
  expect(told.slice(-3)).toMatchObject([
    overdue,
    overdue,
    { type: 'flow.ended', data: { outcome: 'cancelled', stage } },
  ])
  expect(overdueOf(caseNo)).toHaveLength(2)
}

/** Answers the first request, and leaves the later ones open or gives them another answer. */
function answerOnce(first: Answer, later: Answer | 'open'): Answers {
  let count = 0
  return () => {
    if (count++ === 0) return first
    return later === 'open' ? new Promise(() => undefined) : later
  }
}

function overdueOf(caseNo: string) {
  return noticesOf(receiver, caseNo).filter(({ type }) => type === 'flow.overdue')
}

/** The workflows that send the notices of a case, once there are this many of them. */
function sendersOf(caseNo: string, count = 1) {
  return eventually(async () => {
    const found = []
    for await (const sender of world.client.workflow.list({
      query: `WorkflowId STARTS_WITH 'notification:${caseNo}:'`,
    })) {
      found.push(sender)
    }
    return found.length >= count ? found : undefined
  })
}

describe('notifications report', () => {
  test('each stage that is reached, and that the flow completed', async () => {
    const { caseNo, shipment } = await liveIssue()
    const common = { flow: 'issue', caseNo, runId: expect.any(String) }
    const { shipmentUid, pupUid, lockerName } = shipment
    const told = (stateCode: string) => [{ role: 'issue', shipmentUid, stateCode, pupUid, lockerName }]
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await allNoticesOf(receiver, caseNo)).toEqual([
      {
        type: 'flow.stageReached',
        timestamp,
        data: { ...common, sequence: 1, stage: 'dropOff', state: 'waiting', shipments: told('ReadyForPickup') },
      },
      {
        type: 'flow.stageReached',
        timestamp,
        data: { ...common, sequence: 2, stage: 'pickUp', state: 'waiting', shipments: told('Completed') },
      },
      {
        type: 'flow.ended',
        timestamp,
        data: {
          ...common,
          sequence: 3,
          stage: null,
          state: 'ended',
          outcome: 'completed',
          shipments: told('Completed'),
        },
      },
    ])
  })

  test('that the flow was cancelled, and in which stage', async () => {
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    expect(await allNoticesOf(receiver, caseNo)).toMatchObject([
      { type: 'flow.ended', data: { outcome: 'cancelled', stage: 'dropOff', shipments: [{ stateCode: 'Cancelled' }] } },
    ])
  })

  test('that the flow expired', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '300ms' })
    await world.flows.result(caseNo)
    expect(await allNoticesOf(receiver, caseNo)).toMatchObject([
      { type: 'flow.ended', data: { outcome: 'expired', stage: 'dropOff', shipments: [{ stateCode: 'Cancelled' }] } },
    ])
  })

  test('that the booking was refused, with the code', async () => {
    const caseNo = world.newCase(0)
    await world.flows.start('stock', { caseNo, request: { ...parcel, PupUid: 'nowhere' } })
    expect(await allNoticesOf(receiver, caseNo)).toMatchObject([
      { type: 'flow.ended', data: { outcome: 'failed', code: 'InvalidPupUid', stage: null, shipments: [] } },
    ])
  })

  test('the run, since a case that failed and is started again counts from 1 again', async () => {
    const caseNo = world.newCase(0)
    const input = { caseNo, request: { ...parcel, PupUid: 'nowhere' } }
    const runIds = []
    for (const count of [1, 2]) {
      const started = await world.flows.start('stock', input)
      runIds.push(started.kind === 'Started' && started.runId)
      await world.flows.result(caseNo)
      await eventually(() => noticesOf(receiver, caseNo).length === count)
    }
    const data = noticesOf(receiver, caseNo).map(({ data: { runId, sequence } }) => ({ runId, sequence }))
    expect(data).toEqual(runIds.map(runId => ({ runId, sequence: 1 })))
    expect(new Set(runIds).size).toBe(2)
  })

  test('that a window passed, at every reminder', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '300ms' })
    await eventually(() => noticesOf(receiver, caseNo).length >= 2)
    await world.open(shipment, 'deliveryCode')
    const told = await allNoticesOf(receiver, caseNo)
    const overdue = { type: 'flow.overdue', data: { stage: 'dropOff', state: 'overdue' } }
    expect(told.slice(0, 2)).toMatchObject([overdue, overdue])
    expect(told.slice(-2)).toMatchObject([{ type: 'flow.stageReached' }, { data: { outcome: 'completed' } }])
  })

  test.each(stages.filter(({ declaration }) => declaration.onTimeout === 'ask'))(
    'that a window of $name passed in $stage, once until a decision',
    async ({ name, stage }) => {
      const underway = await startFor(world, name, stage, { [stage]: '300ms' })
      const { caseNo } = underway
      await walk(world, underway, stage)
      await expectAsked(caseNo, stage)
      expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
      await expectToldOf(caseNo, stage)
    },
  )

  test('that the window for a receiver passed, once until a decision', async () => {
    const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
    const { caseNo, shipments } = await startWith(world, 'localShipment', request, { receiver: '300ms' })
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('nothing was booked')
    await world.open(shipment, 'deliveryCode')
    await expectAsked(caseNo, 'receiver')
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
    await expectToldOf(caseNo, 'receiver')
  })

  test('the end of a flow without a booking', async () => {
    const caseNo = world.newCase(0)
    const request = { emailAddress: 'kim@example.org', firstName: 'Kim', lastName: 'K', pickUpPointUid: 'pup-1' }
    await world.flows.start('onboardAccount', { caseNo, request })
    const told = await allNoticesOf(receiver, caseNo)
    expect(told).toMatchObject([
      { type: 'flow.ended', data: { flow: 'onboardAccount', stage: null, outcome: 'completed' } },
    ])
    expect(JSON.stringify(told)).not.toMatch(/kim/i)
  })

  test('nothing about invalid input: the starter gets the error', async () => {
    const caseNo = world.newCase(0)
    await world.flows.start('stock', { caseNo, request: {} })
    expect(await world.flows.result(caseNo)).toMatchObject({ code: 'InvalidFlowInput' })
    expect(await textOf(world, caseNo)).not.toContain('notification:')
  })
})

test('a notification with another key or a changed body does not verify', async () => {
  const { caseNo } = await book(world, 'stock')
  await world.flows.cancel(caseNo, 'over')
  await allNoticesOf(receiver, caseNo)
  const message = receiver.received.find(({ body }) => body.includes(caseNo))
  if (message === undefined) throw new Error('no message')
  expect(isSignedBy(noticeKey, message)).toBe(true)
  expect(isSignedBy(`${noticeKey}!`, message)).toBe(false)
  const { headers, body } = message
  expect(isSignedBy(noticeKey, { headers, body: body.replace('cancelled', 'completed') })).toBe(false)
})

test('a notification and its history contain no personal data, no code and no address of the receiver', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const codes = await world.api.call(
    'GetShipmentAccessCode',
    { shipmentUid: shipment.shipmentUid },
    { withCodes: true },
  )
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.open(shipment, 'pickUpCode')
  const told = JSON.stringify(await allNoticesOf(receiver, caseNo))
  const [sender] = await sendersOf(caseNo)
  const { events } = await world.client.workflow.getHandle(sender?.workflowId ?? '').fetchHistory()
  const decode = (_: string, data: string) => Buffer.from(data, 'base64').toString()
  const history = JSON.stringify(events).replaceAll(/"data":"([^"]*)"/g, decode)
  expect(history).toContain(shipment.shipmentUid)
  for (const secret of ['obin', 'example.org', world.userUid, codes.deliveryCode, codes.pickUpCode]) {
    expect(told).not.toContain(secret)
    expect(history).not.toContain(secret)
  }
  expect(history).not.toContain(noticeKey)
  expect(history).not.toContain(receiver.url)
})

describe('a receiver that', () => {
  test('is unavailable delays no flow, and gets everything afterwards', async () => {
    const away = await startReceiver()
    await away.stop()
    const refused = await holdPort(away.port)
    await world.restartWorker({ notifications: { url: away.url, key: noticeKey } })
    const { caseNo, took } = await liveIssue()
    expect(took).toBeLessThan(5_000)
    const back = await startReceiver(undefined, away.port)
    refused.release()
    const told = await allNoticesOf(back, caseNo)
    expect(told.map(({ data }) => data.sequence)).toEqual([1, 2, 3])
    await back.stop()
    await world.restartWorker({ notifications })
  })

  test('does not respond delays no flow, and gets the same message again', async () => {
    const never = gate()
    receiver.answer(async ({ body }, count) => {
      if (receiver.received.findIndex(message => message.body === body) === count - 1) await never.opened
      return { status: 204 }
    })
    const { caseNo, took } = await liveIssue()
    expect(took).toBeLessThan(5_000)
    const ids = () =>
      receiver.received.filter(({ body }) => body.includes(caseNo)).map(({ headers }) => headers['webhook-id'])
    await eventually(() => ids().length === 6)
    expect(new Set(ids()).size).toBe(3)
    never.open()
    const senders = await eventually(async () => {
      const found = await sendersOf(caseNo, 3)
      return found.every(({ status }) => status.name === 'COMPLETED') ? found : undefined
    })
    expect(senders).toHaveLength(3)
  })

  test.each([
    ['is not well', { status: 500 }],
    ['refuses', { status: 403 }],
    ['redirects to another address', { status: 307, headers: { location: '/elsewhere' } }],
  ])('%s gets a retry', async (_, answer) => {
    let refused = 0
    receiver.answer(() => (refused++ === 0 ? answer : { status: 200 }))
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    const attempts = () => receiver.received.filter(({ body }) => body.includes(caseNo))
    await eventually(() => attempts().length === 2)
    const [first, second] = attempts()
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
  })

  test('sends Retry-After is retried later', async () => {
    // Temporal waits by the clock of the machine, which can be set in between.
    const came: { clock: number; timer: number }[] = []
    receiver.answer(() => {
      came.push({ clock: Date.now(), timer: performance.now() })
      return came.length === 1 ? { status: 429, headers: { 'retry-after': '3' } } : { status: 204 }
    })
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    const [first, second] = await eventually(() => {
      const [first, second] = came
      return first && second && ([first, second] as const)
    })
    expect(Math.max(second.clock - first.clock, second.timer - first.timer)).toBeGreaterThanOrEqual(2_900)
  })

  /** Refuses a notification once, and makes it fail after the shortest of these times in which the machine makes two attempts. */
  async function failDelivery(shortest: number, later: Answer | 'open') {
    for (let deliveryTimeout = shortest; ; deliveryTimeout *= 4) {
      await world.restartWorker({ notifications: { ...notifications, deliveryTimeout } })
      receiver.answer(answerOnce({ status: 503 }, later))
      const { caseNo } = await book(world, 'stock')
      await world.flows.cancel(caseNo, 'over')
      const [sender] = await sendersOf(caseNo)
      const handle = world.client.workflow.getHandle(sender?.workflowId ?? '')
      const failure: unknown = await handle.result().catch(error => error)
      const attempts = receiver.received.filter(({ body }) => body.includes(caseNo)).length
      if (attempts > 1 || deliveryTimeout > 100_000) return { caseNo, failure, attempts }
    }
  }

  const refusal = 'The receiver responded with HTTP 503.'
  const ended = 'The time ended before the receiver accepted the notification.'
  test.each([
    // The third attempt would begin after the time, however slow the first two are.
    ['never accepts a notification', refusal, 60_000, { status: 503, headers: { 'retry-after': '3600' } }],
    // The second attempt begins after a second, and is open when the time ends.
    ['refuses a notification once and then does not respond', ended, 10_000, 'open'],
  ] as const)('%s makes its workflow fail after its time', async (_, message, shortest, later) => {
    const { caseNo, failure, attempts } = await failDelivery(shortest, later)
    expect(failure).toMatchObject({
      cause: { type: 'NotificationNotDelivered', message: withReference('NotificationNotDelivered', message) },
    })
    expect(attempts).toBe(2)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    // A worker that stops aborts the open request.
    await world.restartWorker({ notifications })
  })

  test('has a private address is not dialled in production', async () => {
    await world.restartWorker({ environment: 'production', notifications })
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    const [sender] = await sendersOf(caseNo)
    const handle = world.client.workflow.getHandle(sender?.workflowId ?? '')
    const why = await eventually(async () => {
      const { raw } = await handle.describe()
      return raw.pendingActivities?.[0]?.lastFailure?.message ?? undefined
    })
    expect(why).toBe(
      withReference('NotificationNotDelivered', 'LOCKERFLOW_NOTIFICATIONS_URL must not lead to a private address.'),
    )
    expect(noticesOf(receiver, caseNo)).toEqual([])
    await handle.terminate('no receiver will accept it')
    await world.restartWorker({ notifications })
  })
})

describe('a flow', () => {
  test('with undelivered reminders continues', async () => {
    await world.restartWorker({ notifications: { ...notifications, maxUndelivered: 3 } })
    receiver.answer(() => ({ status: 503 }))
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '10ms' })
    const status = await world.statusWhen(caseNo, status => rejectionsOf(status).length > 0)
    expect(rejectionsOf(status)[0]?.what).toBe('flow.overdue: not sent, since 3 notifications are undelivered')
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    receiver.answer(() => ({ status: 204 }))
    await eventually(() => noticesOf(receiver, caseNo).some(({ type }) => type === 'flow.ended'))
    await world.restartWorker({ notifications })
  })

  test('sends reminders again as soon as earlier ones are delivered', async () => {
    await world.restartWorker({ notifications: { ...notifications, maxUndelivered: 3 } })
    receiver.answer(() => ({ status: 503 }))
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '10ms' })
    await world.statusWhen(caseNo, status => rejectionsOf(status).length > 0)
    receiver.answer(() => ({ status: 204 }))
    await eventually(() => overdueOf(caseNo).some(({ data }) => data.sequence > 3))
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    await world.restartWorker({ notifications })
  })

  test('that continues as new continues the sequence', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await growOld(world, caseNo)
    await world.open(shipment, 'pickUpCode')
    const told = await allNoticesOf(receiver, caseNo)
    expect(told.map(({ data }) => data.sequence)).toEqual([1, 2, 3])
    expect(new Set(told.map(({ data }) => data.runId)).size).toBe(1)
  })

  test('that is reset sends repeated events as new messages', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await eventually(() => noticesOf(receiver, caseNo).length === 1)
    await resetToStart(world, caseNo)
    await eventually(() => noticesOf(receiver, caseNo).length === 2)
    await world.open(shipment, 'pickUpCode')
    await eventually(() => noticesOf(receiver, caseNo).some(({ type }) => type === 'flow.ended'))
    expect(new Set(noticesOf(receiver, caseNo).map(({ data }) => data.runId)).size).toBe(1)
    expect(await failedTasks(world, caseNo)).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/determinism/i)]),
    )
  })

  test('without faults has sixteen more events for its three notifications', async () => {
    const counts: number[] = []
    while (counts.length < 5) {
      const { caseNo, shipment } = await book(world, 'issue')
      await world.open(shipment, 'deliveryCode')
      // A receiver has taken a notice long before the next person comes to the locker.
      await eventually(async () =>
        (await eventsOf(world, caseNo)).some(event => event.childWorkflowExecutionCompletedEventAttributes),
      )
      await world.open(shipment, 'pickUpCode')
      expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
      if (await wasDelayed(world, caseNo)) continue
      counts.push((await eventsOf(world, caseNo)).length)
      for (const { workflowId } of await sendersOf(caseNo, 3)) {
        const sender = world.client.workflow.getHandle(workflowId)
        await sender.result()
        expect((await sender.fetchHistory()).events?.length).toBe(eventsOfSender)
      }
    }
    console.log(`events of an issue with notices: ${counts.join(' ')}`)
    expect(counts.toSorted((one, other) => one - other)[2]).toBeLessThanOrEqual(maxAlone + 16)
    expect(Math.max(...counts)).toBeLessThanOrEqual(maxAlone + 16 + 2 * perDelivery)
  })

  test('and its notifications have summaries', async () => {
    const { caseNo } = await liveIssue()
    const senders = await sendersOf(caseNo, 3)
    const histories = await Promise.all(
      senders.map(async ({ workflowId }) => {
        const sender = world.client.workflow.getHandle(workflowId)
        await sender.result()
        return sender.fetchHistory()
      }),
    )
    const named = [{ events: await eventsOf(world, caseNo) }, ...histories].flatMap(namedIn)
    expect(named.filter(({ type }) => type === 'notification')).toHaveLength(3)
    expect(named.filter(({ type }) => type === 'sendNotification')).toHaveLength(3)
    expect(named.filter(each => !isWellNamed(each))).toEqual([])
  })

  test('that began without notifications sends none, whatever the settings of a later worker', async () => {
    await world.restartWorker()
    const { caseNo, shipment } = await book(world, 'issue')
    await world.restartWorker({ notifications })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    await world.flows.result(caseNo)
    expect(await textOf(world, caseNo)).not.toMatch(/notice/i)
  })

  test('that is terminated sends none, since it no longer runs', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate('as an operator would')
    expect(await world.flows.result(caseNo)).toMatchObject({ code: 'FlowTerminated' })
    expect(noticesOf(receiver, caseNo)).toEqual([])
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
  })
})
