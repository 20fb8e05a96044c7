import { randomUUID } from 'node:crypto'
import { RawValue } from '@temporalio/common'
import { describe, expect, inject, test } from 'vitest'
import { createFlowClient } from '#client'
import { describeDifference, withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Milliseconds. */
const timeout = 500

describe('a task queue that no worker polls', () => {
  test('is named by a pending result and by the error of a call', async () => {
    const taskQueue = `typo-${randomUUID()}`
    const flows = createFlowClient(world.client, { taskQueue })
    const caseNo = `T-${randomUUID()}`
    const { namespace } = inject('temporal')
    const missing = {
      code: 'NoWorkerPolls',
      message: `No worker polls the task queue ${taskQueue} of the namespace ${namespace}. See docs/reference/errors.md#noworkerpolls.`,
    }
    // Only the wait is short, since a busy machine can take longer for the start.
    await flows.start('stock', { caseNo, request: parcel })
    const started = await flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout })
    expect(started).toEqual({ kind: 'BookingPending', caseNo, ...missing })
    // The queue is that of the flow, whatever the client's own is.
    await expect(world.flows.decide(caseNo, { decision: 'extend' }, { timeout })).rejects.toMatchObject(missing)
    expect(await flows.cancel(caseNo, 'over', { timeout })).toEqual({ kind: 'CancelPending', caseNo, ...missing })
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate()
  })

  test('is not named when a worker polls', async () => {
    const caseNo = world.newCase(0)
    const release = Promise.withResolvers<void>()
    world.toService.rule = () => ({ kind: 'arriveLater', until: release.promise })
    await world.flows.start('stock', { caseNo, request: parcel })
    const started = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout })
    const message = withReference('NoResponseInTime', 'The flow did not respond within the timeout. It continues.')
    expect(started).toEqual({ kind: 'BookingPending', caseNo, code: 'NoResponseInTime', message })
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate()
    world.toService.cutRequests.add(caseNo)
    release.resolve()
  })

  test('is not named shortly after its worker stopped, and an ended flow does not continue', async () => {
    const caseNo = world.newCase()
    await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    await world.flows.cancel(caseNo, 'over')
    await world.flows.result(caseNo)
    await world.stopWorker()
    const message = 'The flow has ended, and no worker responded for it within the timeout.'
    await expect(world.flows.status(caseNo)).rejects.toMatchObject({
      code: 'NoResponseInTime',
      message: withReference('NoResponseInTime', message),
    })
    await world.restartWorker()
  })
})

test('a case that is in use names the fields that differ, before and after its end', async () => {
  const caseNo = world.newCase()
  const other = { ...parcel, AllowLargerLockers: false, Dimension: { ...parcel.Dimension, width: 31 } }
  const reference = 'See docs/reference/errors.md#caseinuse.'
  const message = `The case number is in use by another request: AllowLargerLockers and Dimension.width differ. ${reference}`
  const inUse = { kind: 'CaseInUse', caseNo, code: 'CaseInUse', message }
  await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(await world.flows.start('stock', { caseNo, request: other })).toEqual(inUse)
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: other })).toEqual(inUse)
  await world.flows.cancel(caseNo, 'over')
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: other })).toEqual(inUse)
  expect(await world.flows.start('intake', { caseNo, request: other })).toEqual({
    ...inUse,
    message: `The case number is in use by the flow stock. ${reference}`,
  })
})

test('a request with a date is the same one for the flow, and when it is repeated', async () => {
  const caseNo = world.newCase()
  const input = { caseNo, request: { ...parcel, Details: { Description: new Date() } } } as never
  for (let time = 0; time < 2; time++) {
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ kind: 'Booked', caseNo })
  }
  await world.flows.cancel(caseNo, 'over')
})

test('a case that another program started with a deep request is in use', async () => {
  const caseNo = `T-${randomUUID()}`
  const taskQueue = `none-${randomUUID()}`
  const text = `{"caseNo":"${caseNo}","request":{"PupUid":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) }
  const args = [RawValue.fromPayload(payload)]
  const other = await world.client.workflow.start('stock', { taskQueue, workflowId: toWorkflowId(caseNo), args })
  const message = expect.stringContaining('PupUid')
  const inUse = { kind: 'CaseInUse', caseNo, code: 'CaseInUse', message }
  expect(await world.flows.start('stock', { caseNo, request: parcel })).toEqual(inUse)
  await other.terminate()
})

test.each([
  [{ a: 1 }, { a: 2 }, 'a differs'],
  [{ A: 1, b: null }, { a: 1 }, 'its fields differ'],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, C: 3 } }, 'a.C differs'],
  [{ a: { b: 1 } }, {}, 'a differs'],
  [{ a: [1] }, { a: [2], d: 'x' }, 'a and d differ'],
  [{ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, 'a, b and c differ'],
  [{ a: 1, b: 1, c: 1, d: 1 }, {}, 'a, b and 2 more fields differ'],
  [undefined, { a: 1 }, 'a differs'],
])('the difference of %j and %j: %s', (one, other, expected) => {
  expect(describeDifference(one, other)).toBe(expected)
})
