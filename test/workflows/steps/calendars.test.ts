import { defaultPayloadConverter } from '@temporalio/common'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Decision, type FlowStatus, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { answer, decide, shipmentStatus } from '#flows/messages'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import {
  calendars,
  distantTime,
  officeHours,
  untilDistantTime,
  withoutIntl,
} from '../../support/flows/calendarFlows.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { requireRole } from '../../support/flows/underway.ts'
import { bundle } from '../../support/world/bundle.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** A person decides when the working time is over. */
const [booking, dropOff, pickUp] = untilDistantTime.steps
const askedAfterWork = {
  ...untilDistantTime,
  name: 'askedAfterWork',
  steps: [booking, { ...dropOff, window: { workingTime: '1s' }, onTimeout: 'ask' }, pickUp],
} as const satisfies FlowDeclaration

// In all of these flows `Intl` throws.
beforeAll(async () => {
  const { code } = await bundle()
  const flows = [officeHours, untilDistantTime, askedAfterWork]
  await world.restartWorker({ flows, calendars, bundle: { code: withoutIntl + code } })
})

const hour = 3_600_000
const iso = (instant: number) => new Date(instant).toISOString()

async function start(flow: string, booked: number, request: object, windows: Readonly<Record<string, string>> = {}) {
  const caseNo = world.newCase(booked)
  const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
  const all = { pickUpPointUid: 'pup-1', ...request }
  await world.client.workflow.start(flow, { ...options, args: [{ caseNo, request: all, windows }] })
  return caseNo
}

const arrange = (since: number) => start('officeHours', 0, { since: iso(since) })
const book = (pickUpPointUid = 'pup-1', windows = {}) =>
  start('untilDistantTime', 1, { customerUid: world.userUid, pickUpPointUid }, windows)

const handleOf = (caseNo: string) => world.client.workflow.getHandle(toWorkflowId(caseNo))
const give = (caseNo: string, step: string, given: string, fields = {}) =>
  handleOf(caseNo).executeUpdate(answer, { args: [{ step, answer: given, fields }] })
const choose = (caseNo: string, decision: Decision['decision']) =>
  handleOf(caseNo).executeUpdate(decide, { args: [{ decision }] })
const inStep = (caseNo: string, name: string, holds: (status: FlowStatus) => boolean = () => true) =>
  world.statusWhen(caseNo, status => status.step === name && holds(status))
/** The client repeats an update that crosses the answer of a calendar. */
const end = (caseNo: string) => world.flows.cancel(caseNo, 'test')

const isTimed = ({ deadline }: FlowStatus) => deadline !== null
const isOverdue = ({ overdue }: FlowStatus) => overdue

/** The steps whose ends calendars have resolved, in order. */
async function resolvedIn(caseNo: string): Promise<string[]> {
  const events = await eventsOf(world, caseNo)
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    if (scheduled?.activityType?.name !== 'resolveMoment') return []
    const [payload] = scheduled.input?.payloads ?? []
    return payload ? [defaultPayloadConverter.fromPayload<{ step: string }>(payload).step] : []
  })
}

const away = () => {
  world.toService.rule = ({ path }) => (path.endsWith('/GetPickUpPoints') ? { kind: 'cut' } : pass)
}

describe('working time', () => {
  test('ends steps from the input, from their start and from an output', async () => {
    const caseNo = await arrange(Date.now())
    await inStep(caseNo, 'visit')
    // The reminder starts the window again, by the calendar.
    await inStep(caseNo, 'visit', isOverdue)
    await inStep(caseNo, 'visit', status => isOverdue(status) && isTimed(status))
    await give(caseNo, 'visit', 'at', { visitAt: iso(Date.now() - 3 * hour) })
    await inStep(caseNo, 'reply', status => isOverdue(status) && !isTimed(status))
    await choose(caseNo, 'extend')
    await give(caseNo, 'reply', 'done')
    const { rejections, deadline } = await inStep(caseNo, 'after', isTimed)
    expect(rejections.map(({ what }) => what)).toContain('before: the moment at which it ends has passed already')
    expect(clockAt(deadline, 'Europe/Amsterdam')).toBe(distantTime)
    expect(await end(caseNo)).toMatchObject({ outcome: 'cancelled' })
    const resolved = await resolvedIn(caseNo)
    expect([...new Set(resolved)]).toEqual(['rest', 'visit', 'reply', 'before', 'after'])
    for (const step of ['visit', 'reply'])
      expect(resolved.filter(each => each === step).length).toBeGreaterThanOrEqual(2)
  })

  test('ends no step that a person keeps waiting before the calendar has answered', async () => {
    const caseNo = await arrange(Date.now())
    await inStep(caseNo, 'visit', isOverdue)
    // An answer that was under way before the cut still starts the window.
    const cut = gate()
    world.toService.rule = ({ path }) => {
      if (!path.endsWith('/GetPickUpPoints')) return pass
      cut.open()
      return { kind: 'cut' }
    }
    await cut.opened
    await inStep(caseNo, 'visit', status => isOverdue(status) && !isTimed(status))
    const kept = { step: 'visit', state: 'waiting', deadline: null }
    expect(await choose(caseNo, 'keepWaiting')).toMatchObject(kept)
    await eventually(async () =>
      (await eventsOf(world, caseNo)).some(event => event.activityTaskCancelRequestedEventAttributes),
    )
    world.toService.rule = () => pass
    await give(caseNo, 'visit', 'at', { visitAt: iso(Date.now()) })
    await inStep(caseNo, 'reply')
    await end(caseNo)
  })

  test('in the past counts as passed, and is recorded', async () => {
    const caseNo = await arrange(Date.now() - hour)
    const { rejections } = await inStep(caseNo, 'visit')
    expect(rejections.map(({ what }) => what)).toEqual(['rest: the moment at which it ends has passed already'])
    await end(caseNo)
  })
})

function clockAt(instant: string | null, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return format.format(Date.parse(instant ?? ''))
}

describe('a window until a time of day', () => {
  test('ends at that time of the pick up point', async () => {
    const caseNo = await book()
    const { deadline, shipments } = await inStep(caseNo, 'dropOff', isTimed)
    expect(clockAt(deadline, 'Europe/Amsterdam')).toBe(distantTime)
    expect(Date.parse(deadline ?? '') - Date.now()).toBeLessThanOrEqual(25 * hour)
    await world.open(requireRole(shipments, 'issue'), 'deliveryCode')
    const { deadline: next } = await inStep(caseNo, 'pickUp', isTimed)
    expect(next).not.toBe(deadline)
    await world.open(requireRole(shipments, 'issue'), 'pickUpCode')
    expect(await handleOf(caseNo).result()).toMatchObject({ outcome: 'completed' })
  })

  test('asks no calendar if the starter gives its length', async () => {
    const caseNo = await book('pup-1', { dropOff: '200ms' })
    expect(await handleOf(caseNo).result()).toMatchObject({ outcome: 'expired' })
    expect(await resolvedIn(caseNo)).toEqual([])
  })

  test('does not hold up the step while the service is away', async () => {
    away()
    const caseNo = await book()
    const { shipments } = await inStep(caseNo, 'dropOff', status => !isTimed(status))
    await world.open(requireRole(shipments, 'issue'), 'deliveryCode')
    await inStep(caseNo, 'pickUp', isTimed)
    await world.open(requireRole(shipments, 'issue'), 'pickUpCode')
    expect(await handleOf(caseNo).result()).toMatchObject({ outcome: 'completed' })
  })

  test('does not hold up a cancellation while the service is away', async () => {
    away()
    const caseNo = await book()
    await inStep(caseNo, 'dropOff')
    expect(await end(caseNo)).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  })

  test('that a decision starts again does not hold up a cancellation in the Web UI while the service is away', async () => {
    const caseNo = await start('askedAfterWork', 1, { customerUid: world.userUid })
    const { shipments } = await inStep(caseNo, 'dropOff', status => isOverdue(status) && !isTimed(status))
    const { promise: answered, resolve: release } = Promise.withResolvers<void>()
    let polled = false
    world.toService.rule = ({ path, body }) => {
      if (path.endsWith('/GetPickUpPoints')) return { kind: 'cut' }
      if (!path.endsWith('/GetShipments') || !body.includes('shipmentUid')) return pass
      polled = true
      return { kind: 'answerLater', until: answered }
    }
    await choose(caseNo, 'extend')
    // The flow polls in the moment of its cancellation.
    const { shipmentUid, stateCode } = requireRole(shipments, 'issue')
    const news = { shipmentUid, stateCode, stateStart: '', lockerOutOfService: true }
    await handleOf(caseNo).signal(shipmentStatus, news)
    await eventually(() => polled)
    await handleOf(caseNo).cancel()
    release()
    expect(await handleOf(caseNo).result()).toMatchObject({ outcome: 'cancelled' })
  })

  test('that fails after a cancellation leaves the flow cancelled', async () => {
    const [polled, read, looked] = [gate(), gate(), gate()]
    let isCalled = false
    world.toService.rule = ({ path }) => {
      if (path.endsWith('/GetPickUpPoints')) return { kind: 'arriveLater', until: looked.opened }
      if (!path.endsWith('/GetShipments') || !isCalled) return pass
      polled.open()
      return { kind: 'arriveLater', until: read.opened }
    }
    const caseNo = await book('pup-2')
    const { shipments } = await inStep(caseNo, 'dropOff')
    const { shipmentUid, stateCode } = requireRole(shipments, 'issue')
    isCalled = true
    // The poll holds up the loop of the flow.
    const status = { shipmentUid, stateCode, stateStart: '', lockerOutOfService: true }
    await handleOf(caseNo).signal(shipmentStatus, status)
    await polled.opened
    const cancelled = end(caseNo)
    const events = () => eventsOf(world, caseNo)
    await eventually(async () => (await events()).some(event => event.workflowExecutionUpdateAcceptedEventAttributes))
    looked.open()
    await eventually(async () => {
      const all = await events()
      const failed = all.findIndex(event => event.activityTaskFailedEventAttributes)
      return failed >= 0 && all.findLastIndex(event => event.workflowTaskCompletedEventAttributes) > failed
    })
    isCalled = false
    read.open()
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
  })

  test('fails the flow and frees the locker if there is no working day', async () => {
    const caseNo = await book('pup-2')
    const failure = await handleOf(caseNo)
      .result()
      .catch(error => error.cause)
    expect(failure).toMatchObject({ type: 'InvalidFlowInput' })
    expect(String(failure.message)).toContain(
      'The end of step dropOff: LOCKERFLOW_CALENDARS: must have a working day within 400 days',
    )
    const shipments = await world.shipmentsOf(caseNo)
    expect(shipments.map(({ stateCode }) => stateCode)).toEqual(['Cancelled'])
  })
})
