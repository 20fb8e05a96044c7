import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createFlowClient, type FlowClient } from '#client'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { createFlowCounter } from '../../gateway/flowCounts.ts'
import { startVerb } from '../support/command/verbs.ts'
import { eventually } from '../support/eventually.ts'
import { useFlowApi } from '../support/flowApi/useFlowApi.ts'
import { book } from '../support/flows/booking.ts'
import { measureSlowness } from '../support/slowness.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

const temporal = useOwnTemporal(['frontend.WorkflowPauseEnabled=true'])
const world = useWorld({}, temporal)
const flowApi = useFlowApi(world, {}, temporal)

/** Milliseconds. A call without an answer takes ten or thirty seconds. */
const atOnce = 3_000

const code = 'FlowPaused'
const message = withReference(code, 'Temporal has paused the flow. It continues once it is unpaused.')

/** The client with its own timeouts. */
let flows: FlowClient
let environment: NodeJS.ProcessEnv

beforeAll(() => {
  flows = createFlowClient(world.client, { taskQueue: world.taskQueue })
  const { address, namespace } = temporal()
  environment = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_TASK_QUEUE: world.taskQueue }
})

async function pause(caseNo: string): Promise<void> {
  const { namespace } = world.client.options
  const request = { namespace, workflowId: toWorkflowId(caseNo), identity: 'test', requestId: randomUUID() }
  await world.client.workflowService.pauseWorkflowExecution(request)
}

async function unpause(caseNo: string): Promise<void> {
  const { namespace } = world.client.options
  const request = { namespace, workflowId: toWorkflowId(caseNo), identity: 'test', requestId: randomUUID() }
  await world.client.workflowService.unpauseWorkflowExecution(request)
}

async function bookPaused(): Promise<string> {
  const { caseNo } = await book(world, 'stock')
  await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
  await pause(caseNo)
  return caseNo
}

async function end(caseNo: string): Promise<void> {
  await unpause(caseNo)
  await world.flows.cancel(caseNo, 'over')
}

async function soon<Result>(call: Promise<Result>): Promise<Result> {
  const slowness = measureSlowness()
  const start = performance.now()
  const result = await call
  expect((performance.now() - start) / slowness()).toBeLessThan(atOnce)
  return result
}

test('every call that needs the flow fails at once, as paused', async () => {
  const caseNo = await bookPaused()
  const calls: Record<string, () => Promise<unknown>> = {
    status: () => flows.status(caseNo),
    decide: () => flows.decide(caseNo, { decision: 'extend' }),
    answer: () => flows.answer(caseNo, { step: 'x', answer: 'y' } as never),
    assignReceiver: () => flows.assignReceiver(caseNo, 'u'),
    release: () => flows.release(caseNo),
    waitForBooking: () => flows.waitForBooking(caseNo),
    startAndWaitForBooking: () => flows.startAndWaitForBooking('stock', { caseNo, request: parcel }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const failure = await soon(call().then(String, ({ code, message }) => ({ code, message })))
    expect({ name, failure }).toEqual({ name, failure: { code, message } })
  }
  await end(caseNo)
})

test('a wait for the end is pending as paused, and a start finds the flow', async () => {
  const caseNo = await bookPaused()
  expect(await flows.waitForEnd(caseNo, { timeout: 500 })).toEqual({ kind: 'EndPending', caseNo, code, message })
  expect(await flows.start('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'Started', isNew: false })
  await end(caseNo)
})

test('a cancellation is requested, and takes effect once the flow is unpaused', async () => {
  const caseNo = await bookPaused()
  expect(await soon(flows.cancel(caseNo, 'over'))).toEqual({ kind: 'CancelPending', caseNo, code, message })
  await unpause(caseNo)
  expect(await flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled', leftOver: [] } })
})

test('a watch is interrupted, and goes on once the flow is unpaused', async () => {
  const caseNo = await bookPaused()
  const watching = flows.watch(caseNo)
  expect((await soon(watching.next())).value).toEqual({ kind: 'Interrupted', caseNo, code, message })
  await unpause(caseNo)
  expect((await soon(watching.next())).value).toMatchObject({ kind: 'Shipment' })
  await world.flows.cancel(caseNo, 'over')
})

test('a paused flow is open: in lists, in conditions and in counts', async () => {
  const caseNo = await bookPaused()
  const casesOf = async (filter: Parameters<FlowClient['list']>[0]) => {
    const page = await flows.list(filter)
    return page.kind === 'Listed' ? page.cases.map(each => each.caseNo) : page
  }
  await eventually(async () => (await world.client.workflow.count("ExecutionStatus = 'Paused'")).count === 1)
  expect(await casesOf({ state: 'waiting' })).toEqual([caseNo])
  expect(await casesOf({ where: `case = '${caseNo}' and state = ended` })).toEqual([])
  expect(await casesOf({ where: `case = '${caseNo}' and not ended before 2100-01-01` })).toEqual([caseNo])
  const { running } = await createFlowCounter(world.client)()
  expect(running).toContainEqual({ state: 'waiting', count: 1 })
  await end(caseNo)
})

test('the flow API answers with the same code', async () => {
  const caseNo = await bookPaused()
  const problem = {
    status: 503,
    body: { code, message: 'Temporal has paused the flow. It continues once it is unpaused.' },
  }
  expect(await soon(flowApi.call('GET', `/flows/${caseNo}`))).toMatchObject(problem)
  const decision = { decision: 'extend' }
  expect(await soon(flowApi.call('POST', `/flows/${caseNo}/decide`, decision))).toMatchObject(problem)
  const cancelled = await soon(flowApi.call('POST', `/flows/${caseNo}/cancel`, { reason: 'over' }))
  expect(cancelled).toMatchObject({ status: 202, body: { kind: 'CancelPending', code } })
  await end(caseNo)
})

describe('the command', () => {
  test.each([
    ['status', [], 3],
    ['decide', ['--by', '24h'], 3],
    ['cancel', ['--reason', 'over'], 4],
  ] as const)('flow %s says that the flow is paused', async (verb, words, exitCode) => {
    const caseNo = await bookPaused()
    const failure = await soon(startVerb(environment, 'flow', verb, caseNo, ...words).ended)
    // The command prints the remedy of the code.
    expect(failure).toMatchObject({ code, message, exitCode, remedy: undefined })
    await end(caseNo)
  })

  test('doctor names the paused flows', async () => {
    const part = 'paused flows'
    const examined = async () => {
      const { values, ended } = startVerb(environment, 'doctor')
      await ended
      return values.find(value => (value as { part: string }).part === part)
    }
    expect(await examined()).toEqual({ part, state: 'ok', found: 'none' })
    const caseNo = await bookPaused()
    await eventually(async () => (await world.client.workflow.count("ExecutionStatus = 'Paused'")).count === 1)
    expect(await examined()).toEqual({
      part,
      state: 'wrong',
      found: `1: ${caseNo}`,
      remedy: expect.stringContaining('unpause'),
    })
    await end(caseNo)
  })
})
