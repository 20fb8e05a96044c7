import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { toWorkflowId } from '#flows'
import { book } from '../support/flows/booking.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Milliseconds. */
const timeout = 300

test('a caller that waits for the end of a flow gets it, or a pending result in time', async () => {
  const { caseNo } = await book(world, 'stock')
  expect(await world.flows.waitForEnd(caseNo, { timeout })).toEqual({
    kind: 'EndPending',
    caseNo,
    code: 'NoResponseInTime',
    message: expect.stringMatching(/\. See .*#noresponseintime\.$/),
  })
  const waiting = world.flows.waitForEnd(caseNo)
  await world.flows.cancel(caseNo, 'over')
  expect(await waiting).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
  expect(await world.flows.waitForEnd('nothing', { timeout })).toMatchObject({ kind: 'UnknownCase' })
})

test('a pending end names the task queue that no worker polls', async () => {
  const taskQueue = `typo-${randomUUID()}`
  const caseNo = world.newCase(0)
  await createFlowClient(world.client, { taskQueue }).start('stock', { caseNo, request: parcel })
  const pending = await world.flows.waitForEnd(caseNo, { timeout })
  expect(pending).toMatchObject({ code: 'NoWorkerPolls', message: expect.stringContaining(taskQueue) })
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate()
})

test('an aborted wait throws the reason, and the flow continues', async () => {
  const { caseNo } = await book(world, 'stock')
  const controller = new AbortController()
  const reason = new Error('the caller has gone')
  const waiting = world.flows.waitForEnd(caseNo, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await expect(waiting).rejects.toBe(reason)
  expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { state: 'waiting' } })
  await world.flows.cancel(caseNo, 'over')
})

test('a wait that is over leaves no listener on the signal of its caller, which may live for long', async () => {
  const { signal } = new AbortController()
  expect(await world.flows.waitForEnd('nothing', { signal })).toMatchObject({ kind: 'UnknownCase' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a flow is started and awaited in one call, which can be repeated', async () => {
  const flows = createFlowClient(world.client, { taskQueue: world.taskQueue })
  const caseNo = world.newCase(0)
  const request = {
    emailAddress: `kim-${randomUUID()}@example.org`,
    firstName: 'Kim',
    lastName: 'Park',
    pickUpPointUid: 'pup-1',
  }
  const account = await flows.startAndWaitForEnd('onboardAccount', { caseNo, request })
  if (account.kind !== 'Ended') throw new Error(account.message)
  expect(account.result.userUid).toEqual(expect.any(String))
  expect(await flows.startAndWaitForEnd('onboardAccount', { caseNo, request })).toEqual(account)
  const other = { ...request, firstName: 'Lee' }
  expect(await flows.startAndWaitForEnd('onboardAccount', { caseNo, request: other })).toMatchObject({
    kind: 'CaseInUse',
    message: expect.stringContaining('firstName differs'),
  })
})

test('a timeout that is too short for a start limits the wait for the end alone', async () => {
  const caseNo = world.newCase()
  const input = { caseNo, request: parcel }
  expect(await world.flows.startAndWaitForEnd('stock', input, { timeout: 1 })).toMatchObject({
    kind: 'EndPending',
    caseNo,
  })
  expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ kind: 'Booked', caseNo })
  await world.flows.cancel(caseNo, 'over')
})

test('a caller that started a flow and is aborted gets the reason, and the flow continues', async () => {
  const { caseNo } = await book(world, 'stock')
  const reason = new Error('the caller has gone')
  const options = { signal: AbortSignal.abort(reason) }
  const started = world.flows.startAndWaitForEnd('stock', { caseNo, request: parcel }, options)
  await expect(started).rejects.toBe(reason)
  expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { state: 'waiting' } })
  await world.flows.cancel(caseNo, 'over')
})

test('a caller that is aborted before its call starts no flow', async () => {
  const caseNo = `T-${randomUUID()}`
  const reason = new Error('the caller has gone')
  const options = { signal: AbortSignal.abort(reason) }
  const started = world.flows.startAndWaitForEnd('stock', { caseNo, request: parcel }, options)
  await expect(started).rejects.toBe(reason)
  expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'UnknownCase' })
})

test('a caller that waits for the end goes on waiting after a reset', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const ended = world.flows.waitForEnd(caseNo)
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await resetToStart(world, caseNo)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.open(shipment, 'pickUpCode')
  expect(await ended).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
})

test('a caller that waits for the end of a flow that timed out is refused', async () => {
  const caseNo = world.newCase(0)
  const options = {
    workflowId: toWorkflowId(caseNo),
    taskQueue: `none-${randomUUID()}`,
    workflowExecutionTimeout: '1s',
  }
  await world.client.workflow.start('stock', { ...options, args: [{ caseNo, request: parcel }] } as never)
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code: 'FlowTerminated',
  })
})
