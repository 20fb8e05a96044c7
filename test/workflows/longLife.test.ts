import { describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { replay } from '#worker'
import { eventually } from '../support/eventually.ts'
import { book, type Case } from '../support/flows/booking.ts'
import { eventsOf } from '../support/flows/history.ts'
import { journeys } from '../support/flows/journeys.ts'
import { startWith, walk } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** Events after which Temporal suggests a new run, where it is 4,096 by itself. */
const limit = 80

const world = useWorld({}, useOwnTemporal([`limit.historyCount.suggestContinueAsNew=${limit}`]))

const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }

function handleOf(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo))
}

async function runOf(caseNo: string): Promise<string> {
  return (await handleOf(caseNo).describe()).runId
}

/** Sends callbacks that are none of the flow's own. */
async function tell(caseNo: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => handleOf(caseNo).signal(shipmentStatus, strange)))
}

/** An issue whose item is in the locker, and whose tasks are done. */
async function inTheLocker(windows = {}): Promise<Case> {
  const booked = await book(world, 'issue', windows)
  await world.open(booked.shipment, 'deliveryCode')
  await world.statusWhen(booked.caseNo, ({ stage }) => stage === 'pickUp')
  // The callbacks of both states.
  await quiet(booked.caseNo, 2)
  return booked
}

/** Waits until the flow has taken in this many callbacks and has nothing to do; answers the number of its events. */
function quiet(caseNo: string, callbacks: number): Promise<number> {
  return eventually(async () => {
    const events = await eventsOf(world, caseNo)
    const told = events.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal).length
    const last = [...events].reverse().find(({ timerStartedEventAttributes: timer }) => !timer)
    const isDone = last?.upsertWorkflowSearchAttributesEventAttributes ?? last?.workflowTaskCompletedEventAttributes
    return told >= callbacks && isDone ? events.length : undefined
  })
}

test('a loan of a year with fortnightly extensions continues as new several times and loses nothing', async () => {
  const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
  const request = await journeys[loan].prepare(world)
  const underway = await startWith(world, loan, request, { return: '150ms' })
  const { caseNo, shipments } = underway
  await walk(world, underway, 'return')
  const runs = new Set<string>()
  const ends: string[] = []
  for (let fortnight = 0; fortnight < 26; fortnight++) {
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    runs.add(await runOf(caseNo))
    // All at once, wherever the switch to a new run is just then.
    const [decided, asked, refused] = await Promise.all([
      world.flows.decide(caseNo, { decision: 'extend' }),
      world.flows.startAndWaitForBooking(loan, { caseNo, request }),
      world.flows.assignReceiver(caseNo, world.userUid),
      tell(caseNo, 3),
      world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }).then(answer => ends.push(answer.kind)),
    ])
    expect(decided).toMatchObject({ kind: 'Decided', status: { state: 'waiting', stage: 'return', overdue: false } })
    expect(asked).toMatchObject({ kind: 'Booked', caseNo, shipments: [{}, {}, {}] })
    expect(refused).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
  }
  expect(runs.size).toBeGreaterThanOrEqual(5)
  expect(new Set(ends)).toEqual(new Set(['CaseInUse']))

  const intake = shipments.find(({ role }) => role === 'intake')
  if (intake !== undefined) await world.open(intake, 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'completed', leftOver: [], shipments: [{}, { stateCode: 'Completed' }, {}] },
  })
  await expectReplayable(caseNo, runs)
})

describe('at the moment of continue-as-new', () => {
  /** Brings a flow to where its next task is the first for which a new run is suggested. */
  async function toTheBrink(caseNo: string): Promise<void> {
    const count = await quiet(caseNo, 2)
    await world.stopWorker()
    // One task takes them all; when it begins, it is the last event but one below the limit.
    const told = limit - 4 - count
    await tell(caseNo, told)
    await world.restartWorker()
    expect(await quiet(caseNo, told + 2)).toBe(limit - 1)
    await world.stopWorker()
  }

  test('the current run applies the completing callback, and returns the results of updates', async () => {
    const { caseNo, shipment } = await inTheLocker()
    const runId = await runOf(caseNo)
    await toTheBrink(caseNo)
    await tell(caseNo, 1)
    const input = { caseNo, request: { ...parcel, ToUserUid: world.userUid } }
    const asked = world.flows.startAndWaitForBooking('issue', input)
    const decided = world.flows.decide(caseNo, { decision: 'extend' })
    await world.open(shipment, 'pickUpCode')
    await eventually(async () => (await callbacksOf(caseNo)).includes('Completed'))
    await world.restartWorker()
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await asked).toMatchObject({ kind: 'Booked' })
    expect(await decided).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/NothingToDecide|FlowEnded/) })
    expect(await runOf(caseNo)).toBe(runId)
    expect(isSuggested(await eventsOf(world, caseNo))).toBe(true)
  })

  test('decisions are kept across runs, and every caller gets its result', async () => {
    const { caseNo, shipment } = await inTheLocker({ pickUp: '300ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    const runId = await runOf(caseNo)
    await toTheBrink(caseNo)
    await tell(caseNo, 1)
    const input = { caseNo, request: { ...parcel, ToUserUid: world.userUid } }
    const asked = world.flows.startAndWaitForBooking('issue', input)
    const decided = world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
    await world.restartWorker()
    expect(await asked).toMatchObject({ kind: 'Booked', shipments: [{ shipmentUid: shipment.shipmentUid }] })
    const answer = await decided
    if (answer.kind !== 'Decided') throw new Error(JSON.stringify(answer))
    await eventually(async () => (await runOf(caseNo)) !== runId)
    expect(acceptedLast(await eventsOfRun(caseNo, runId))).toBeGreaterThan(0)
    expect(await world.statusWhen(caseNo, () => true)).toEqual(answer.status)
    expect(answer.status).toMatchObject({ stage: 'pickUp', state: 'waiting', overdue: false })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test("the Web UI's cancel button takes effect", async () => {
    // The timer of the first stage is left running, and wakes the flow in the second for nothing. It must not end before
    // the flow is on the brink, on a busy machine either.
    const { caseNo } = await inTheLocker({ dropOff: '45s' })
    await toTheBrink(caseNo)
    const runId = await runOf(caseNo)
    await eventually(async () => (await eventsOf(world, caseNo)).some(event => event.timerFiredEventAttributes))
    await handleOf(caseNo).cancel()
    await world.restartWorker()
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    expect(await runOf(caseNo)).toBe(runId)
  })

  test('a rejected update does not cause it, since histories do not record one', async () => {
    const { caseNo, shipment } = await inTheLocker()
    await toTheBrink(caseNo)
    const runId = await runOf(caseNo)
    await world.restartWorker()
    const refused = await world.flows.assignReceiver(caseNo, world.userUid)
    expect(refused).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
    expect(await runOf(caseNo)).toBe(runId)
    await tell(caseNo, 1)
    await eventually(async () => (await runOf(caseNo)) !== runId)
    await expectReplayable(caseNo, [runId])
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a flow without callbacks continues in the new run', async () => {
    const { caseNo, shipment } = await inTheLocker()
    await toTheBrink(caseNo)
    const runId = await runOf(caseNo)
    await tell(caseNo, 1)
    await world.restartWorker()
    await eventually(async () => (await runOf(caseNo)) !== runId)
    // The summary of the start belongs to the first run.
    expect(await boardOf(caseNo)).toContain('An item is issued to a user.')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

/** The states that the flow was told, in its newest run. */
async function callbacksOf(caseNo: string): Promise<string[]> {
  const events = await eventsOf(world, caseNo)
  return events.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const { data } = signal?.input?.payloads?.[0] ?? {}
    const told = data ? (JSON.parse(Buffer.from(data).toString()) as typeof strange) : strange
    return told.shipmentUid === strange.shipmentUid ? [] : [told.stateCode]
  })
}

async function eventsOfRun(caseNo: string, runId: string) {
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo), runId).fetchHistory()
  return events ?? []
}

type Events = Awaited<ReturnType<typeof eventsOfRun>>

/** The last workflow task of a run, with the events of its completion. */
function lastTaskOf(events: Events): Events {
  return events.slice(events.findLastIndex(({ workflowTaskStartedEventAttributes: started }) => started))
}

/** True if Temporal suggested continue-as-new with the last workflow task. */
function isSuggested(events: Events): boolean {
  return lastTaskOf(events)[0]?.workflowTaskStartedEventAttributes?.suggestContinueAsNew === true
}

/** How many updates a run took in with its last task; their callers heard of it when the run was over. */
function acceptedLast(events: Events): number {
  return lastTaskOf(events).filter(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted).length
}

/** Histories of earlier runs. The newest ones are replayed at the end of the file. */
async function expectReplayable(caseNo: string, runs: Iterable<string>): Promise<void> {
  const workflowId = toWorkflowId(caseNo)
  for (const runId of runs) {
    const history = await world.client.workflow.getHandle(workflowId, runId).fetchHistory()
    expect({ runId, faults: await replay(await bundle(), [{ workflowId, history }]) }).toEqual({ runId, faults: [] })
  }
}

async function boardOf(caseNo: string): Promise<string> {
  const { currentDetails } = await handleOf(caseNo).query<{ currentDetails: string }>('__temporal_workflow_metadata')
  return currentDetails
}
