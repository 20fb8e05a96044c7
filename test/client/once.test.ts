import { WorkflowNotFoundError } from '@temporalio/client'
import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { growOld } from '../support/flows/longHistories.ts'
import { resetToStart } from '../support/flows/reset.ts'
import type { World } from '../support/world/flowWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

const extend = { decision: 'extend', by: '300ms' } as const

/** The decisions that a run accepted. */
async function countDecisions({ client }: World, caseNo: string, runId: string): Promise<number> {
  const { events } = await client.workflow.getHandle(toWorkflowId(caseNo), runId).fetchHistory()
  const accepted = (events ?? []).map(event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest)
  return accepted.filter(request => request?.input?.name === 'decide').length
}

async function runOf({ flows }: World, caseNo: string): Promise<string> {
  return (await flows.handle(caseNo).describe()).runId
}

test('a repeated decision takes effect once, although the flow is overdue again', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const once = { key: 'bulk-1', runId: await runOf(world, caseNo) }
  expect(await world.flows.decide(caseNo, extend, { once })).toMatchObject({ kind: 'Decided' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await world.flows.decide(caseNo, extend, { once })).toMatchObject({ kind: 'Decided' })
  expect(await countDecisions(world, caseNo, once.runId)).toBe(1)
  await world.flows.cancel(caseNo, 'over')
})

test('an empty key is refused: Temporal would give each attempt an id of its own', async () => {
  const { caseNo } = await book(world, 'stock')
  const once = { key: '', runId: await runOf(world, caseNo) }
  const refused = new TypeError('key must not be empty.')
  await expect(world.flows.decide(caseNo, extend, { once })).rejects.toThrow(refused)
  await expect(world.flows.cancel(caseNo, 'over', { once })).rejects.toThrow(refused)
  await expect(world.flows.waitForBooking(caseNo, { key: '' })).rejects.toThrow(refused)
  await world.flows.cancel(caseNo, 'over')
})

test('a decision is repeated neither in the next run nor after the end, and comes to the next run if the first ended without it', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const first = await runOf(world, caseNo)
  await world.flows.decide(caseNo, extend, { once: { key: 'bulk-2', runId: first } })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await growOld(world, caseNo)
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const second = await runOf(world, caseNo)
  expect(second).not.toBe(first)
  expect(await world.flows.decide(caseNo, extend, { once: { key: 'bulk-2', runId: first } })).toMatchObject({
    kind: 'Decided',
  })
  // The history of the first run is larger than a response of Temporal may be.
  expect(await countDecisions(world, caseNo, second)).toBe(0)

  const other = { key: 'bulk-3', runId: first }
  expect(await world.flows.decide(caseNo, { decision: 'keepWaiting' }, { once: other })).toMatchObject({
    kind: 'Decided',
  })
  expect(await countDecisions(world, caseNo, second)).toBe(1)
  await world.flows.cancel(caseNo, 'over', { once: { key: 'bulk-4', runId: first } })
  expect(await world.flows.cancel(caseNo, 'over', { once: { key: 'bulk-4', runId: first } })).toMatchObject({
    kind: 'Cancelled',
  })
  expect(await world.flows.decide(caseNo, extend, { once: other })).toMatchObject({ kind: 'Decided' })
  expect(await world.flows.decide(caseNo, extend, { once: { key: 'bulk-5', runId: first } })).toMatchObject({
    kind: 'Refused',
    code: 'FlowEnded',
  })
})

test('a decision comes to the run that a reset has made', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const once = { key: 'bulk-6', runId: await runOf(world, caseNo) }
  await resetToStart(world, caseNo)
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await runOf(world, caseNo)).not.toBe(once.runId)
  expect(await world.flows.decide(caseNo, { decision: 'keepWaiting' }, { once })).toMatchObject({ kind: 'Decided' })
  await world.flows.cancel(caseNo, 'over')
})

test('a decision about a flow that Temporal has deleted meanwhile is one about an unknown case', async () => {
  const { caseNo } = await book(world, 'stock')
  const once = { key: 'bulk-7', runId: await runOf(world, caseNo) }
  await world.flows.cancel(caseNo, 'over')
  const { namespace } = world.client.options
  const workflowExecution = { workflowId: toWorkflowId(caseNo), runId: once.runId }
  await world.client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution })
  await eventually(async () => (await world.flows.status(caseNo)).kind === 'UnknownCase')
  expect(await world.flows.decide(caseNo, extend, { once })).toMatchObject({ kind: 'UnknownCase' })
  // Its history cannot be replayed.
  world.cases.delete(caseNo)
})

/** Deletes a run of a flow, as the retention does. */
async function deleteRun({ client }: World, caseNo: string, runId: string): Promise<void> {
  const workflowExecution = { workflowId: toWorkflowId(caseNo), runId }
  await client.workflowService.deleteWorkflowExecution({ namespace: client.options.namespace, workflowExecution })
  const describe = () => client.workflow.getHandle(toWorkflowId(caseNo), runId).describe()
  await eventually(() =>
    describe().then(
      () => false,
      error => error instanceof WorkflowNotFoundError,
    ),
  )
}

test.each([
  ['first', 0],
  ['second', 1],
])('a decision comes to a flow whose %s run Temporal has deleted, and is repeated there once', async (_, deleted) => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  const runs: string[] = []
  while (runs.length <= deleted) {
    runs.push(await runOf(world, caseNo))
    await growOld(world, caseNo)
  }
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await deleteRun(world, caseNo, runs.at(-1) ?? '')
  const once = { key: 'bulk-8', runId: runs[0] ?? '' }
  expect(await world.flows.decide(caseNo, extend, { once })).toMatchObject({ kind: 'Decided' })
  expect(await world.flows.decide(caseNo, extend, { once })).toMatchObject({ kind: 'Decided' })
  expect(await countDecisions(world, caseNo, await runOf(world, caseNo))).toBe(1)
  await world.flows.cancel(caseNo, 'over')
})

test('the picture of a run comes with its status on request', async () => {
  const { caseNo } = await book(world, 'stock')
  const answer = await world.flows.status(caseNo, { picture: true })
  expect(answer).toMatchObject({
    status: {
      picture: { steps: expect.arrayContaining([expect.objectContaining({ name: 'dropOff', state: 'current' })]) },
    },
  })
  await world.flows.cancel(caseNo, 'over')
})
