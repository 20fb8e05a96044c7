import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createFlowClient, FlowCallError } from '#client'
import { toWorkflowId } from '#flows'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { type Relay, startRelay } from '../support/servers/relay.ts'
import { measureSlowness } from '../support/slowness.ts'
import type { AnyFlowClient } from '../support/world/anyFlow.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** Milliseconds; what a caller sets, what is then still in time on a slow machine, and the SDK's attempts. */
const timeout = 1_000
const inTime = 8_000
const sdkAttempts = 30_000

/** Milliseconds until a call is over on an idle machine, with or without an answer. */
async function taken(call: Promise<unknown>): Promise<{ took: number; answer: unknown }> {
  const slowness = measureSlowness()
  const start = performance.now()
  const answer = await call.catch(error => (error instanceof Error ? error : new Error(String(error))))
  return { took: (performance.now() - start) / slowness(), answer }
}

type Call = (flows: AnyFlowClient, caseNo: string) => Promise<unknown>

const calls: Record<string, Call> = {
  startAndWaitForBooking: (flows, caseNo) =>
    flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout }),
  cancel: (flows, caseNo) => flows.cancel(caseNo, 'over', { timeout }),
  decide: (flows, caseNo) => flows.decide(caseNo, { decision: 'extend' }, { timeout }),
}

describe('while Temporal is unavailable', () => {
  let flows: AnyFlowClient
  let connection: Connection

  beforeAll(() => {
    // Nothing listens on this port.
    connection = Connection.lazy({ address: '127.0.0.1:1' })
    flows = createFlowClient(new Client({ connection }))
  })
  afterAll(() => connection.close())

  const more: Record<string, Call> = {
    startAndWaitForEnd: (flows, caseNo) => flows.startAndWaitForEnd('stock', { caseNo, request: parcel }, { timeout }),
    waitForEnd: (flows, caseNo) => flows.waitForEnd(caseNo, { timeout }),
  }

  test.each(Object.entries({ ...calls, ...more }))('%s fails within its deadline', async (_, call) => {
    const { took, answer } = await taken(call(flows, 'away'))
    expect(answer).toBeInstanceOf(FlowCallError)
    expect(answer).toMatchObject({
      code: 'TemporalUnreachable',
      message: 'Temporal could not be reached at 127.0.0.1:1. See docs/reference/errors.md#temporalunreachable.',
    })
    expect(took).toBeLessThan(inTime)
  })
})

describe('while the connection to Temporal is lost', () => {
  const world = useWorld()
  let relay: Relay
  let connection: Connection
  let flows: AnyFlowClient

  beforeAll(async () => {
    relay = await startRelay(inject('temporal').address)
    connection = Connection.lazy({ address: relay.address })
    const client = new Client({ connection, namespace: world.client.options.namespace })
    flows = createFlowClient(client, { taskQueue: world.taskQueue })
  })
  afterAll(async () => {
    await connection.close()
    await relay.cut()
  })

  test('a caller that waits for a booking gets the end of the flow that it started', async () => {
    const caseNo = world.newCase(0)
    const { workflow } = world.client
    const id = toWorkflowId(caseNo)
    // Without a worker the flow has not accepted the update, which Temporal would answer again otherwise.
    await world.stopWorker()
    // The SDK repeats an attempt ten times, for about twenty seconds.
    const waiting = flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: 2 * sdkAttempts })
    await eventually(() =>
      workflow
        .getHandle(id)
        .describe()
        .then(Boolean, () => false),
    )
    await relay.cut()
    await workflow.getHandle(id).terminate('while the connection was lost')
    await relay.mend()
    expect(await waiting).toMatchObject({
      kind: 'Refused',
      code: 'FlowTerminated',
      message: expect.stringContaining('while the connection was lost'),
    })
  })
})

describe('while Temporal takes calls and does not respond', () => {
  const world = useWorld()

  test.each<[string, Call, number]>([
    ['start', (flows, caseNo) => flows.start('stock', { caseNo, request: parcel }), sdkAttempts + inTime],
    [
      'startAndWaitForEnd',
      (flows, caseNo) => flows.startAndWaitForEnd('stock', { caseNo, request: parcel }, { timeout }),
      inTime,
    ],
  ])('%s fails within its deadline', async (_, call, limit) => {
    const relay = await startRelay(inject('temporal').address)
    const connection = await Connection.connect({ address: relay.address })
    const { namespace } = world.client.options
    const flows = createFlowClient(new Client({ connection, namespace }), { taskQueue: world.taskQueue })
    relay.hold('nothing')
    const { took, answer } = await taken(call(flows, 'held'))
    expect(answer).toMatchObject({ name: 'FlowCallError', code: 'TemporalUnreachable' })
    expect(took).toBeLessThan(limit)
    await connection.close()
    await relay.cut()
  })
})

describe('without a worker', () => {
  const world = useWorld()

  test('a caller gets a pending result within its timeout, and no update is lost', async () => {
    const { caseNo } = await book(world, 'stock')
    await world.stopWorker()
    const another = world.newCase()
    // The start is part of the call, and a busy machine can take longer than a second for it.
    const input = { caseNo: another, request: parcel }
    expect(await world.flows.startAndWaitForBooking('stock', input, { timeout: 5_000 })).toMatchObject({
      kind: 'BookingPending',
      caseNo: another,
    })
    const decided = await taken(Promise.resolve(calls.decide?.(world.flows, caseNo)))
    expect(decided.answer).toBeInstanceOf(Error)
    expect(decided.took).toBeLessThan(inTime)
    expect(await calls.cancel?.(world.flows, caseNo)).toMatchObject({ kind: 'CancelPending', caseNo })
    expect(await world.flows.start('stock', { caseNo: another, request: parcel })).toMatchObject({
      kind: 'Started',
      isNew: false,
    })
    await world.restartWorker()
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo: another, request: parcel })).toMatchObject({
      kind: 'Booked',
    })
    await world.flows.cancel(another, 'over')
  })
})
