import { randomUUID } from 'node:crypto'
import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createFlowClient, type Listed, type ListFilter } from '#client'
import { isClosedRun, isOpenRun, toWorkflowId } from '#flows'
import { toQuery } from '../../client/list.ts'
import { eventually } from '../support/eventually.ts'
import { book, requestOf } from '../support/flows/booking.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

async function listed(filter: ListFilter) {
  const page = await world.flows.list(filter)
  if (page.kind !== 'Listed') throw new Error(page.message)
  return page
}

test('flows are found by flow, state, overdue, user and pick up point, page by page', async () => {
  // The server is shared, and only this user is of this file.
  const user = world.userUid
  const { caseNo: issue, shipment } = await book(world, 'issue', { dropOff: '1h' })
  const { caseNo: next } = await book(world, 'issue')
  const { caseNo: newest } = await book(world, 'issue')
  const casesOf = async (filter: ListFilter) => (await listed({ user, ...filter })).cases.map(({ caseNo }) => caseNo)
  await eventually(async () => (await casesOf({ state: 'waiting' })).length === 3)

  expect(await casesOf({})).toEqual([newest, next, issue])
  expect(await casesOf({ flow: 'stock' })).toEqual([])
  expect(await casesOf({ flow: 'issue', pickUpPoint: 'pup-1', overdue: false })).toEqual([newest, next, issue])
  expect(await casesOf({ pickUpPoint: 'nowhere' })).toEqual([])
  expect(await casesOf({ overdue: true })).toEqual([])
  expect(await casesOf({ state: 'ended' })).toEqual([])

  const first = await listed({ user, pageSize: 2 })
  expect(first.cases.map(({ caseNo }) => caseNo)).toEqual([newest, next])
  const second = await listed({ user, pageSize: 2, cursor: first.cursor ?? '' })
  expect(await world.flows.list({ cursor: first.cursor ?? '' })).toMatchObject({ code: 'InvalidCursor' })
  for (const changed of [`${first.cursor}AAAA`, first.cursor?.slice(0, -1), first.cursor?.slice(0, 16)]) {
    const page = await world.flows.list({ user, pageSize: 2, cursor: changed ?? '' })
    expect(page).toMatchObject({ kind: 'Refused', code: 'InvalidCursor' })
  }
  expect(second).toMatchObject({
    cursor: null,
    cases: [
      {
        caseNo: issue,
        flow: 'issue',
        state: 'waiting',
        steps: ['dropOff'],
        outcome: null,
        leftOver: false,
        overdue: false,
        user,
        pickUpPoint: 'pup-1',
        shipmentUids: [shipment.shipmentUid],
        startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        endedAt: null,
        failed: false,
      },
    ],
  })

  for (const caseNo of [newest, next]) await world.flows.cancel(caseNo, 'over')
  await eventually(async () => (await casesOf({ state: 'ended' })).length === 2)
  expect(await casesOf({})).toEqual([issue, next, newest])
  await world.flows.cancel(issue, 'over')
  await eventually(async () => (await casesOf({ state: 'ended' })).length === 3)
  const [ended] = (await listed({ user, flow: 'issue' })).cases
  expect(ended).toMatchObject({ state: 'ended', overdue: false, endedAt: expect.any(String), failed: false })
})

test('an overdue flow and one that was refused are told apart', async () => {
  const { caseNo: late, shipment } = await book(world, 'stock', { dropOff: '300ms' })
  const refused = world.newCase(0)
  await world.flows.startAndWaitForBooking('stock', { caseNo: refused, request: { ...parcel, PupUid: 'nowhere' } })
  const found = (filter: ListFilter, caseNo: string) =>
    eventually(async () => (await listed({ flow: 'stock', ...filter })).cases.find(each => each.caseNo === caseNo))
  expect(await found({ overdue: true, state: 'overdue' }, late)).toMatchObject({ steps: ['dropOff'], overdue: true })
  expect(await found({ state: 'ended' }, refused)).toMatchObject({ failed: true })
  // A flow that is terminated cannot withdraw that it is overdue.
  await world.flows.handle(late).terminate()
  expect(await found({ state: 'ended' }, late)).toMatchObject({ overdue: false, failed: true })
  await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
})

test.each(['flow', 'user', 'pickUpPoint', 'where'])(
  'refuses %s with the character NUL, which no store of Temporal reads',
  async name => {
    expect(await world.flows.list({ [name]: 'a\0b' })).toMatchObject({
      kind: 'Refused',
      code: 'InvalidFilter',
      message: expect.stringContaining(`${name}: must not contain the character NUL.`),
    })
  },
)

test('quotes in a filter find nothing, and no error', async () => {
  expect(await listed({ user: "o'hare' OR '1' = '1\\" })).toEqual({ kind: 'Listed', cases: [], cursor: null })
})

test.each(['', 'x'])('the invalid cursor %j is refused', async cursor => {
  expect(await world.flows.list({ cursor })).toMatchObject({ kind: 'Refused', code: 'InvalidCursor' })
})

test.each<[ListFilter<string>, string]>([
  [{}, ''],
  [{ state: 'booking' }, ` AND ((LockerflowState IS NULL OR LockerflowState = 'booking') AND ${isOpenRun})`],
  [{ flow: "a' OR 'b\\", state: 'ended' }, ` AND LockerflowFlow = 'a\\' OR \\'b\\\\' AND ${isClosedRun}`],
])('the query of %j', (filter, query) => {
  expect(toQuery(filter, 0)).toBe(`ExecutionStatus != 'ContinuedAsNew' AND LockerflowCase IS NOT NULL${query}`)
})

test('a condition finds the same flows as Temporal lists by its query, and its opposite the others', async () => {
  const { caseNo: late } = await book(world, 'stock', { dropOff: '300ms' })
  const { caseNo: waiting } = await book(world, 'issue')
  const { caseNo: over } = await book(world, 'issue')
  await world.flows.cancel(over, 'over')
  const ofThese = (where: string) =>
    `started after 1h ago and case in ('${late}', '${waiting}', '${over}') and ${where}`
  // The newest flow is the first one, and an ended flow is as new as its end.
  const toSortedCases = ({ cases }: Pick<Listed, 'cases'>) =>
    [late, waiting, over].filter(caseNo => cases.some(each => each.caseNo === caseNo))
  const casesOf = async (where: string) => toSortedCases(await listed({ where: ofThese(where) }))
  for (const state of ['overdue', 'waiting', 'ended']) {
    await eventually(async () => (await casesOf(`state = ${state}`)).length === 1)
  }
  expect(await casesOf("overdue and pickUpPoint = 'pup-1'")).toEqual([late])
  expect(await casesOf(`user = '${world.userUid}' and flow != stock`)).toEqual([waiting, over])
  expect(await casesOf('not overdue')).toEqual([waiting, over])
  expect(await casesOf('state != overdue')).toEqual([waiting, over])
  expect(await casesOf('state in (waiting, overdue) and not (step = pickUp)')).toEqual([late, waiting])
  expect(await casesOf("(flow = intake or pickUpPoint != 'pup-1')")).toEqual([])
  expect(await casesOf('ended after 1h ago')).toEqual([over])
  expect(await casesOf('not ended after 1h ago')).toEqual([late, waiting])

  const first = await listed({ where: ofThese('started after 2000-01-01'), pageSize: 2 })
  const second = await listed({ where: ofThese('started after 2000-01-01'), pageSize: 2, cursor: first.cursor ?? '' })
  const pages = [...first.cases, ...second.cases]
  expect([pages.length, toSortedCases({ cases: pages })]).toEqual([3, [late, waiting, over]])
  const { runId } = await world.flows.handle(late).describe()
  expect(pages.find(({ caseNo }) => caseNo === late)).toMatchObject({ runId })
  for (const caseNo of [late, waiting]) await world.flows.cancel(caseNo, 'over')
})

test('an invalid condition is refused before Temporal is asked', async () => {
  expect(await world.flows.list({ where: 'colour = red' })).toMatchObject({
    kind: 'Refused',
    code: 'InvalidFilter',
    message: expect.stringContaining('got "colour"'),
  })
})

test('a flow that was reset is listed once, and one that was terminated as failed', async () => {
  const { caseNo } = await book(world, 'issue')
  const handle = world.flows.handle(caseNo)
  await resetToStart(world, caseNo)
  const { runId } = await handle.describe()
  // Both runs of the flow are listed by Temporal.
  await eventually(async () => (await world.client.workflow.count(`WorkflowId = '${handle.workflowId}'`)).count === 2)
  const where = `case = '${caseNo}'`
  expect((await listed({ where })).cases).toMatchObject([{ caseNo, runId, endedAt: null }])
  await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
  await world.flows.cancel(caseNo, 'over')

  const { caseNo: terminated } = await book(world, 'issue')
  await world.flows.handle(terminated).terminate()
  const listedEnd = `WorkflowId = '${toWorkflowId(terminated)}' AND ExecutionStatus = 'Terminated'`
  await eventually(async () => (await world.client.workflow.count(listedEnd)).count === 1)
  const isEnded = async () => (await listed({ where: `case = '${terminated}'` })).cases.find(({ failed }) => failed)
  expect(await eventually(isEnded)).toMatchObject({ caseNo: terminated, state: 'ended' })
})

test('a flow that failed is listed once after a reset', async () => {
  const caseNo = world.newCase(0)
  const request = { ...requestOf(world, 'issue'), PupUid: randomUUID() }
  expect(await world.flows.startAndWaitForBooking('issue', { caseNo, request })).toMatchObject({ kind: 'Refused' })
  await resetToStart(world, caseNo)
  const handle = world.flows.handle(caseNo)
  const ended = `WorkflowId = '${handle.workflowId}' AND ExecutionStatus = 'Failed'`
  await eventually(async () => (await world.client.workflow.count(ended)).count === 2)
  const { runId } = await handle.describe()
  expect((await listed({ where: `case = '${caseNo}'` })).cases).toMatchObject([{ caseNo, runId, failed: true }])
})

test('terminated flows are examined ten at a time', async () => {
  const { connection, options } = world.client
  const calls = { now: 0, most: 0 }
  const counted: WorkflowClientInterceptor = {
    async describe(input, next) {
      calls.most = Math.max(calls.most, ++calls.now)
      return next(input).finally(() => calls.now--)
    },
  }
  const client = new Client({ connection, namespace: options.namespace, interceptors: { workflow: [counted] } })
  const flow = `terminated-${randomUUID()}`
  const taskQueue = 'without-a-worker'
  await Promise.all(
    Array.from({ length: 25 }, async () => {
      const caseNo = randomUUID()
      const typedSearchAttributes = [
        { key: { name: 'LockerflowCase', type: 'KEYWORD' }, value: caseNo },
        { key: { name: 'LockerflowFlow', type: 'KEYWORD' }, value: flow },
      ] as const
      const start = {
        workflowId: toWorkflowId(caseNo),
        taskQueue,
        args: [],
        typedSearchAttributes: [...typedSearchAttributes],
      }
      await (await client.workflow.start(flow, start)).terminate()
    }),
  )
  const flows = createFlowClient(client)
  const list = async () => flows.list({ where: `flow = '${flow}' and state = 'ended'` })
  await eventually(async () => {
    const page = await list()
    return page.kind === 'Listed' && page.cases.length === 25
  })
  expect(calls).toEqual({ now: 0, most: 10 })
})
