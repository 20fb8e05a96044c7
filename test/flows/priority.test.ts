import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { priorities, toFlowPriority, toWorkflowId } from '#flows'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { noticeKey } from '../support/flows/notifications.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** More tasks than a worker takes at the same time would hide the order. */
const flood = 24

describe('the priority of a flow', () => {
  test.each([
    ['the pick up point of a booking', 'stock', { PupUid: 'pup-1' }, 'pup-1'],
    ['in any casing', 'stock', { pUPuID: 'pup-1' }, 'pup-1'],
    ['the pick up point of an account', 'onboardAccount', { pickUpPointUid: 'pup-2' }, 'pup-2'],
    ['the name of a flow without a pick up point', 'issueFromStock', { PriorShipmentUid: 's-1' }, 'issueFromStock'],
    ['the name if the uid is longer than Temporal allows', 'stock', { PupUid: 'p'.repeat(65) }, 'stock'],
    ['the name if the uid is not a text', 'stock', { PupUid: 7 }, 'stock'],
    ['the name without a request', 'stock', null, 'stock'],
    ['the first 64 bytes of a name', 'x'.repeat(100), {}, 'x'.repeat(64)],
  ])('has as its key %s', (_, flow, request, fairnessKey) => {
    expect(toFlowPriority(flow, request)).toEqual({ priorityKey: 2, fairnessKey })
  })
})

/** Fills the backlog while no worker polls, then returns how many of the flood began before the last one. */
async function countBefore(last: string, start: () => Promise<readonly string[]>): Promise<number> {
  await world.stopWorker()
  const others = await start()
  await world.restartWorker()
  const [began, ...moments] = await Promise.all([last, ...others].map(firstTask))
  return moments.filter(moment => moment < Number(began)).length
}

/** The moment in milliseconds when a worker took the first task of a workflow. */
function firstTask(workflowId: string): Promise<number> {
  return eventually(async () => {
    const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory()
    const time = events?.find(event => event.workflowTaskStartedEventAttributes)?.eventTime
    return time ? Number(time.seconds) * 1_000 + Number(time.nanos) / 1e6 : undefined
  })
}

/** Starts a booking that waits in its first step. */
async function startStock(PupUid: string): Promise<string> {
  const caseNo = world.newCase()
  await world.flows.start('stock', { caseNo, request: { ...parcel, PupUid } })
  return caseNo
}

async function cancelAll(cases: readonly string[]): Promise<void> {
  const results = await Promise.all(cases.map(caseNo => world.flows.cancel(caseNo, 'over')))
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['Cancelled']))
}

describe('a backlog', () => {
  test('of one pick up point does not delay a booking at another one', async () => {
    const cases: string[] = []
    const other = world.newCase()
    const before = await countBefore(toWorkflowId(other), async () => {
      for (let n = 0; n < flood; n++) cases.push(await startStock('pup-1'))
      await world.flows.start('stock', { caseNo: other, request: { ...parcel, PupUid: 'pup-2' } })
      return cases.map(toWorkflowId)
    })
    await cancelAll([...cases, other])
    // Without keys it is the last. The others that polls take at the same time come in any order.
    expect(before).toBeLessThan(flood / 2)
  })

  test('of sweeps does not delay a booking', async () => {
    const { client, taskQueue } = world
    const caseNo = world.newCase()
    const sweeps = Array.from({ length: flood }, () => `sweep-${randomUUID()}`)
    const before = await countBefore(toWorkflowId(caseNo), async () => {
      const options = { taskQueue, args: [{ act: 'list', olderThan: 0, caseNo }], priority: { priorityKey: 5 } }
      for (const workflowId of sweeps) await client.workflow.start('sweep', { ...options, workflowId })
      await world.flows.start('stock', { caseNo, request: parcel })
      return sweeps
    })
    await Promise.all(sweeps.map(workflowId => client.workflow.getHandle(workflowId).result()))
    await cancelAll([caseNo])
    expect(before).toBeLessThan(flood / 2)
  })
})

test('a flow asks for its booking before its other work, and for its notifications after it', async () => {
  const receiver = await startReceiver()
  const url = receiver.url
  await world.restartWorker({ notifications: { url, key: noticeKey } })
  const { caseNo, shipment } = await book(world, 'issue')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await cancelAll([caseNo])
  const { events = [] } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const keysOf = (all: readonly { priority?: { priorityKey?: number | null } | null }[]) =>
    new Set(all.map(({ priority }) => priority?.priorityKey))
  const scheduled = events?.flatMap(event => event.activityTaskScheduledEventAttributes ?? []) ?? []
  const booking = scheduled.filter(({ activityType }) => activityType?.name === 'planAndBook')
  const others = scheduled.filter(({ activityType }) => activityType?.name !== 'planAndBook')
  const children = events?.flatMap(event => event.startChildWorkflowExecutionInitiatedEventAttributes ?? []) ?? []
  expect(events?.[0]?.workflowExecutionStartedEventAttributes?.priority).toMatchObject({
    priorityKey: priorities.flow,
    fairnessKey: parcel.PupUid,
  })
  expect(keysOf(booking)).toEqual(new Set([priorities.booking]))
  expect(others.length).toBeGreaterThan(0)
  // Zero inherits from the flow.
  expect(keysOf(others).has(priorities.booking)).toBe(false)
  expect(keysOf(children)).toEqual(new Set([priorities.notification]))
  await world.restartWorker()
  await receiver.stop()
})
