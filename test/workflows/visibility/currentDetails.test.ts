import { randomUUID } from 'node:crypto'
import { Client, WorkflowNotFoundError } from '@temporalio/client'
import { describe, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { withReference } from '#contract/terms'
import { type FlowDeclaration, flows, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { describeFlow } from '../../../client/description.ts'
import { pass } from '../../../testing/stack/wire.ts'
import { converterOf, newKey } from '../../support/codec/keys.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { journeys } from '../../support/flows/journeys.ts'
import { requireRole, startWith, type Underway, walk } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld(movableClock)

/** Temporal's limits, in bytes. */
const longest = { summary: 200, details: 20_000 }

interface Metadata {
  readonly currentDetails: string
  readonly definition: Record<
    'signalDefinitions' | 'queryDefinitions' | 'updateDefinitions',
    { name: string; description?: string }[]
  >
}

function metadataOf(caseNo: string): Promise<Metadata> {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).query<Metadata>('__temporal_workflow_metadata')
}

/** The board once it is as asked. */
function boardWhen(caseNo: string, part: string | RegExp): Promise<string> {
  return eventually(async () => {
    const { currentDetails = '' } = await metadataOf(caseNo).catch(unlessUnknown)
    return currentDetails.search(part) >= 0 ? currentDetails : undefined
  })
}

/** A flow that is only being started. */
function unlessUnknown(error: unknown): Partial<Metadata> {
  if (error instanceof WorkflowNotFoundError) return {}
  throw error
}

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

/** A loan whose user has the item. */
async function lent(windows = {}, caseNo?: string): Promise<Underway> {
  const underway = await startWith(world, loan, await journeys[loan].prepare(world), windows, caseNo)
  await walk(world, underway, 'return')
  return underway
}

async function bringBack({ caseNo, shipments }: Underway): Promise<void> {
  await world.open(requireRole(shipments, 'intake'), 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
}

describe('the current details of a loan', () => {
  test('show its stage, its shipments, the start and the deadline', async () => {
    const underway = await lent()
    const board = await boardWhen(underway.caseNo, 'Step return')
    expect(board).toContain('The loan: an item in stock is issued to a user')
    expect(board).toContain(String.raw`**Waiting.** Step return, 4 of 5: The user returns the item\.`)
    expect(board).toMatch(new RegExp(`- in this step since ${moment}`))
    expect(board).toMatch(new RegExp(`- deadline ${moment}, then a person has to decide`))
    for (const { role, shipmentUid, lockerName } of underway.shipments) {
      const state = { issue: 'Completed', intake: 'ReadyForDropOff', stock: 'WaitForPriorShipment' }[role]
      expect(board).toMatch(new RegExp(String.raw`\| ${role} \| ${state} \| ${lockerName} at pup-1 \| ${moment} \|`))
      expect(board).toContain(`- ${role}: ${shipmentUid}`)
    }
    await bringBack(underway)
    expect(await boardWhen(underway.caseNo, 'Ended')).toContain('**Ended: completed.**')
  })

  test('that is overdue show who must act', async () => {
    const underway = await lent({ return: '500ms' })
    const board = await boardWhen(underway.caseNo, 'Overdue')
    expect(board).toContain('the window has passed: update `decide` with extend, cancel or keepWaiting')
    await world.flows.decide(underway.caseNo, { decision: 'keepWaiting' })
    expect(await boardWhen(underway.caseNo, 'Waiting')).toContain('- no deadline')
    await bringBack(underway)
  })

  test('show rejected callbacks, the newest first, within the size limit', async () => {
    const wide = `${randomUUID().slice(0, 14)}${'長'.repeat(46)}`
    world.cases.set(wide, 3)
    const underway = await lent({}, wide)
    const { shipmentUid } = requireRole(underway.shipments, 'issue')
    const handle = world.client.workflow.getHandle(toWorkflowId(wide))
    for (let sent = 0; sent < 20; sent++) {
      await handle.signal(shipmentStatus, { shipmentUid, stateCode: 'Cancelled', stateStart: '2999-01-01T00:00:00Z' })
    }
    await world.statusWhen(wide, ({ rejections }) => rejections.length === 20)
    const board = await boardWhen(wide, /and 15 earlier/)
    const said = String.raw`issue\\: a callback reported Cancelled\\, which cannot follow Completed`
    expect(board).toMatch(new RegExp(String.raw`\*\*Rejected or failed\*\*\n\n- ${moment}: ${said}`))
    expect(board).toContain('長'.repeat(46))
    expect(Buffer.byteLength(board)).toBeLessThan(longest.details / 4)
    await bringBack(underway)
  })
})

test('current details show the left-overs', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.flows.cancel(caseNo, 'over')
  const board = await boardWhen(caseNo, 'Ended')
  expect(board).toContain('**Ended: cancelled.**')
  expect(board).toContain('**Left over for a person**\n\n- issue: there is an item in the locker')
})

test('current details of a flow that ended early have the moment of its end, not the start of its last step', async () => {
  const { caseNo } = await book(world, 'issue')
  const { since } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await moveFlowClock(world, caseNo, hour)
  await world.flows.cancel(caseNo, 'over')
  const [, end = ''] = /^- since (.+) UTC$/m.exec(await boardWhen(caseNo, 'Ended')) ?? []
  expect(Date.parse(`${end}Z`) - Date.parse(since)).toBeGreaterThan(hour - 1_000)
})

test('an unknown state is not shown, and names are escaped for Markdown', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  // The callback of the booking would replace the unknown state if it came later.
  await eventually(async () =>
    (await eventsOf(world, caseNo)).some(event => event.workflowExecutionSignaledEventAttributes),
  )
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).signal(shipmentStatus, {
    shipmentUid: shipment.shipmentUid,
    stateCode: 'RobinReaderHasIt',
    stateStart: 'not a time',
    pupUid: '[x](http://evil.example) | <b>',
  })
  const board = await boardWhen(caseNo, 'an unknown state')
  expect(board).not.toContain('RobinReaderHasIt')
  expect(board).toContain(String.raw`\[x\]\(http\:\/\/evil\.example\) \| \<b\> | `)
  await world.flows.cancel(caseNo, 'over')
})

test('current details of a booking that waits for the service show the deadline', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'status', status: 503 } : pass)
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows: { booking: '15s' } })
  const board = await boardWhen(caseNo, /given up/)
  expect(board).toMatch(
    new RegExp(`- given up at ${moment} without a response; Pending Activities has the last failure`),
  )
  await booking
  const failedStep = String.raw`1. ✗ booking: A locker is booked\. (failed)`
  const cleaning = await boardWhen(caseNo, 'Cleaning up')
  expect(cleaning).toContain(failedStep)
  expect(cleaning).not.toContain('given up at')
  expect(cleaning).toContain('- undoes booking; Pending Activities has the last failure')
  world.toService.rule = () => pass
  const failed = await boardWhen(caseNo, 'Failed')
  expect(failed).toContain('**Failed: BookingGivenUp.** No response within')
  expect(failed).toContain(failedStep)
})

test('current details of a flow without a booking show its step and its outcome', async () => {
  const caseNo = `A-${randomUUID()}`
  const opened = gate()
  world.toService.rule = () => ({ kind: 'arriveLater', until: opened.opened })
  const request = {
    emailAddress: `${randomUUID()}@example.org`,
    firstName: 'Robin',
    lastName: 'Reader',
    pickUpPointUid: 'pup-1',
  }
  await world.flows.start('onboardAccount', { caseNo, request })
  const board = await boardWhen(caseNo, 'Step account')
  expect(board).toContain(String.raw`**Waiting.** Step account, 1 of 3: The account is created or found\.`)
  expect(board).not.toMatch(/Robin|Reader|example/)
  opened.open()
  await world.flows.result(caseNo)
  expect(await boardWhen(caseNo, 'Ended')).toContain('**Ended: completed.**')
})

test('a failure has the error code as its type, and no stack trace', async () => {
  const caseNo = world.newCase(0)
  const Dimension = { width: 9_000, height: 9_000, length: 9_000 }
  await world.flows.startAndWaitForBooking('stock', { caseNo, request: { ...parcel, Dimension } })
  const failed = (await eventsOf(world, caseNo)).at(-1)?.workflowExecutionFailedEventAttributes
  expect(failed?.failure).toMatchObject({
    applicationFailureInfo: { type: 'InvalidDimension', nonRetryable: true },
    message: withReference('InvalidDimension', 'The item fits no locker that the request allows, free or booked.'),
    stackTrace: '',
  })
  expect(await boardWhen(caseNo, 'Failed')).toMatch(
    /^\*\*Failed: InvalidDimension\.\*\* .* See docs\/reference\/errors\.md#invaliddimension\.$/m,
  )
})

test.each([
  ['an invalid input', 'issue', { caseNo: 42, request: null }, 'InvalidFlowInput'],
  ['a name that is not a flow', 'lendMeALadder', { caseNo: 'x', request: {} }, 'UnknownFlow'],
])('%s has current details too', async (_, flow, input, code) => {
  const workflowId = `case:${randomUUID()}`
  const { taskQueue } = world
  const handle = await world.client.workflow.start(flow, { workflowId, taskQueue, args: [input] })
  await expect(handle.result()).rejects.toThrow()
  const { currentDetails } = await handle.query<Metadata>('__temporal_workflow_metadata')
  expect(currentDetails).toContain(`**Failed: ${code}.**`)
})

test('every timer and every activity has a short summary', async () => {
  // The first look of an expired window has no answer, so that the patient activity looks, too.
  const underway = await lent({ return: '48h' })
  world.toService.rule = ({ path, before }) =>
    path.endsWith('GetShipments') && before < 2 ? { kind: 'status', status: 503 } : pass
  await moveFlowClock(world, underway.caseNo, 49 * hour)
  await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
  await world.flows.cancel(underway.caseNo, 'over')
  await world.flows.result(underway.caseNo)

  const events = await eventsOf(world, underway.caseNo)
  const said = events.flatMap(event => {
    const { timerStartedEventAttributes, activityTaskScheduledEventAttributes } = event
    const kind = (timerStartedEventAttributes && 'timer') || (activityTaskScheduledEventAttributes && 'activity')
    if (!kind) return []
    const { data } = event.userMetadata?.summary ?? {}
    return [{ kind, summary: data ? String(JSON.parse(Buffer.from(data).toString())) : '' }]
  })
  expect(new Set(said.map(({ kind }) => kind))).toEqual(new Set(['timer', 'activity']))
  expect(said.filter(({ summary }) => summary.length < 10)).toEqual([])
  expect(said.filter(({ summary }) => Buffer.byteLength(summary) > longest.summary)).toEqual([])
})

test('the call stack of a waiting flow shows where it waits', async () => {
  const { caseNo } = await book(world, 'issue')
  await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
  const stack = await world.client.workflow.getHandle(toWorkflowId(caseNo)).query<string>('__stack_trace')
  expect(stack).toMatch(/condition .*flow\.ts/)
  expect(stack).toMatch(/timer\.ts/)
  await world.flows.cancel(caseNo, 'over')
})

test('every handler has a description', async () => {
  const { caseNo } = await book(world, 'stock')
  const { definition } = await metadataOf(caseNo)
  const handlers = [definition.signalDefinitions, definition.queryDefinitions, definition.updateDefinitions].flat()
  const ours = handlers.filter(({ name }) => name !== undefined && !name.startsWith('__'))
  expect(ours.map(({ name }) => name).sort()).toEqual([
    'answer',
    'cancel',
    'decide',
    'moveClock',
    'shipmentStatus',
    'status',
    'waitForBooking',
  ])
  expect(ours.filter(({ description }) => !description)).toEqual([])
  await world.flows.cancel(caseNo, 'over')
})

describe('the static details', () => {
  test('are the summary of the flow, and its stages with the windows of this case', async () => {
    const { caseNo } = await book(world, 'issue', { pickUp: '5d' })
    const described = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    expect(await described.staticSummary()).toBe('An item is issued to a user.')
    expect(await described.staticDetails()).toBe(
      [
        '1. **dropOff**: The dispatcher places the item in the locker. Window 48h, then: the flow is cancelled and ends as expired.',
        '2. **pickUp**: The user collects the item. Window 5d, then: a person decides.',
      ].join('\n'),
    )
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([
    ['in Chinese', '检查', undefined],
    ['in Chinese, encrypted', '检查', converterOf(newKey('2026-12'))],
    ['with quotation marks', '"', undefined],
  ])('of a hundred steps %s are cut at the size that Temporal accepts', async (_, word, dataConverter) => {
    const summary = word.repeat(longest.summary / Buffer.byteLength(word))
    const steps = Array.from({ length: 100 }, (_, at) => ({
      ...{ name: `check${at}`, summary, ask: { done: {} }, who: 'staff' },
      ...({ window: '1h', onTimeout: 'remind' } as const),
    }))
    const flow: FlowDeclaration = { name: 'hundredChecks', summary, input: {}, steps }
    const { connection, options } = world.client
    const client = new Client({ connection, namespace: options.namespace, ...(dataConverter && { dataConverter }) })
    const own = createFlowClient(client, { taskQueue: `nobody-${randomUUID()}`, flows: [flow] })
    const caseNo = `D-${randomUUID()}`
    expect(await own.start('hundredChecks', { caseNo, request: {} })).toMatchObject({ kind: 'Started' })
    const handle = client.workflow.getHandle(toWorkflowId(caseNo))
    const details = (await (await handle.describe()).staticDetails()) ?? ''
    await handle.terminate('over')
    expect(Buffer.byteLength(JSON.stringify(details))).toBeGreaterThan(longest.details / 2)
    expect(details).toMatch(/^1\. \*\*check0\*\*: .*\n.*\n\nAnd \d+ more\.$/s)
  })

  test.each(Object.values(flows))('of $name are within the size limit', flow => {
    const said = describeFlow(flow, { dropOff: 'x'.repeat(30_000) })
    expect(Buffer.byteLength(said?.staticSummary ?? '')).toBeLessThanOrEqual(longest.summary)
    expect(said?.staticSummary.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(said?.staticDetails ?? '')).toBeLessThanOrEqual(longest.details)
    expect(said?.staticDetails.length).toBeGreaterThan(0)
  })
})
