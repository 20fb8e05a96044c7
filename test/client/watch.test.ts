import { randomUUID } from 'node:crypto'
import { Client, Connection, ValueError } from '@temporalio/client'
import type { PayloadCodec } from '@temporalio/common'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createFlowClient, type FlowClient, type Watched } from '#client'
import { withReference } from '#contract/terms'
import type { FlowName } from '#flows'
import { book } from '../support/flows/booking.ts'
import { growOld } from '../support/flows/longHistories.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { startGrpcRelay } from '../support/servers/grpcRelay.ts'
import { measureSlowness } from '../support/slowness.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Status of gRPC. */
const unavailable = 14

type Item = Watched<FlowName>

/** Reads items up to the first one that fulfils a condition. The watch stays open. */
async function readUntil(items: AsyncIterator<Item>, isLast: (item: Item) => boolean): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    const { value, done } = await items.next()
    if (done) throw new Error(`the watch ended after ${JSON.stringify(found)}`)
    found.push(value)
    if (isLast(value)) return found
  }
}

const inStage = (stage: string) => (item: Item) => item.kind === 'Stage' && item.stage === stage
const shipmentIn = (stateCode: string) => (item: Item) =>
  item.kind === 'Shipment' && item.shipment.stateCode === stateCode

function cursorOf(items: readonly Item[]): string {
  const item = items.at(-1)
  if (item === undefined || !('cursor' in item)) throw new Error('the last item has no cursor')
  return item.cursor
}

test('a watch yields the state, each change and the end', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const watching = world.flows.watch(caseNo)
  const first = await readUntil(watching, inStage('dropOff'))
  expect(first).toMatchObject([
    { kind: 'Shipment', shipment: { role: 'issue', stateCode: 'ReadyForDropOff' } },
    { kind: 'Stage', stage: 'dropOff', state: 'waiting', deadline: expect.any(String) },
  ])
  await world.open(shipment, 'deliveryCode')
  await readUntil(watching, inStage('pickUp'))
  await world.open(shipment, 'pickUpCode')
  const rest = await readUntil(watching, ({ kind }) => kind === 'Ended')
  expect(rest.some(shipmentIn('Completed'))).toBe(true)
  expect(rest.at(-1)).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
  expect(await watching.next()).toEqual({ value: undefined, done: true })
})

test('a watch that continues at a cursor yields only the changes since, and the end', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const before = await readUntil(world.flows.watch(caseNo), inStage('dropOff'))
  await world.open(shipment, 'deliveryCode')
  const next = await readUntil(world.flows.watch(caseNo, { after: cursorOf(before) }), inStage('pickUp'))
  expect(next.some(shipmentIn('ReadyForDropOff'))).toBe(false)
  await world.open(shipment, 'pickUpCode')
  const rest = await readUntil(world.flows.watch(caseNo, { after: cursorOf(next) }), ({ kind }) => kind === 'Ended')
  expect(rest.some(shipmentIn('ReadyForPickup'))).toBe(false)
})

test('a watch tells that a flow is overdue, and that it was extended', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  const watching = world.flows.watch(caseNo)
  await readUntil(watching, item => item.kind === 'Overdue' && item.overdue)
  await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
  await readUntil(watching, item => item.kind === 'Overdue' && !item.overdue)
  await world.flows.cancel(caseNo, 'over')
  const rest = await readUntil(watching, ({ kind }) => kind === 'Ended')
  expect(rest.at(-1)).toMatchObject({ result: { outcome: 'cancelled' } })
})

test('a watch follows a flow that continues as new', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const watching = world.flows.watch(caseNo)
  await readUntil(watching, inStage('dropOff'))
  const next = readUntil(watching, ({ kind }) => kind === 'Ended')
  await growOld(world, caseNo)
  await world.open(shipment, 'deliveryCode')
  // A busy machine may not answer a query of the watch in time, while the flow reads its signals.
  const kinds = (await next).map(({ kind }) => kind).filter(kind => kind !== 'Interrupted')
  expect(kinds).toEqual(['Shipment', 'Ended'])
})

test('a watch follows a flow that is reset, without an interruption', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const watching = world.flows.watch(caseNo)
  await readUntil(watching, inStage('dropOff'))
  const next = readUntil(watching, inStage('pickUp'))
  await resetToStart(world, caseNo)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await world.open(shipment, 'deliveryCode')
  expect((await next).filter(({ kind }) => kind === 'Interrupted')).toEqual([])
  await world.flows.cancel(caseNo, 'over')
})

test('a watch without a worker says so once, and goes on when a worker polls', async () => {
  const taskQueue = `late-${randomUUID()}`
  const flows = createFlowClient(world.client, { taskQueue })
  const caseNo = world.newCase()
  await flows.start('stock', { caseNo, request: parcel })
  const watching = flows.watch(caseNo)
  const { namespace } = inject('temporal')
  const text = `No worker polls the task queue ${taskQueue} of the namespace ${namespace}.`
  expect(await watching.next()).toEqual({
    done: false,
    value: { kind: 'Interrupted', caseNo, code: 'NoWorkerPolls', message: withReference('NoWorkerPolls', text) },
  })
  await world.restartWorker({ taskQueue })
  const found = await readUntil(watching, inStage('dropOff'))
  expect(found.filter(({ kind }) => kind === 'Interrupted')).toEqual([])
  await world.flows.cancel(caseNo, 'over')
  await world.restartWorker()
})

test('a watch that its caller aborts throws the reason, while it waits and before', async () => {
  const { caseNo } = await book(world, 'stock')
  const reason = new Error('the caller has gone')
  const controller = new AbortController()
  const watching = world.flows.watch(caseNo, { signal: controller.signal })
  await readUntil(watching, inStage('dropOff'))
  const next = watching.next()
  controller.abort(reason)
  await expect(next).rejects.toBe(reason)
  await expect(world.flows.watch(caseNo, { signal: controller.signal }).next()).rejects.toBe(reason)
  await world.flows.cancel(caseNo, 'over')
})

test('a watch whose client cannot read the status of the flow ends with the reason', async () => {
  const { caseNo } = await book(world, 'stock')
  const { connection, options } = world.client
  const unreadable: PayloadCodec = {
    encode: async payloads => payloads,
    async decode() {
      throw new ValueError('no key')
    },
  }
  const client = new Client({
    connection,
    namespace: options.namespace,
    dataConverter: { payloadCodecs: [unreadable] },
  })
  await expect(createFlowClient(client).watch(caseNo).next()).rejects.toMatchObject({ code: 'DataNotConverted' })
  await world.flows.cancel(caseNo, 'over')
})

describe('while Temporal loses a query', () => {
  async function connectThrough(): Promise<{ flows: FlowClient; lost: () => number }> {
    let lost = 0
    const relay = await startGrpcRelay(inject('temporal').address, {
      after: async method => {
        if (method === 'QueryWorkflow' && ++lost === 1) await new Promise(() => {})
      },
    })
    const connection = Connection.lazy({ address: relay.address })
    onTestFinished(async () => {
      await connection.close()
      await relay.stop()
    })
    const client = new Client({ connection, namespace: world.client.options.namespace })
    return { flows: createFlowClient(client, { taskQueue: world.taskQueue }), lost: () => lost }
  }

  test('the status of a flow is asked for again', async () => {
    const { caseNo } = await book(world, 'issue')
    const { flows, lost } = await connectThrough()
    expect(await flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { stage: 'dropOff' } })
    expect(lost()).toBe(2)
    await world.flows.cancel(caseNo, 'over')
  })

  test('a watch goes on without an interruption', async () => {
    const { caseNo } = await book(world, 'issue')
    const { flows } = await connectThrough()
    const items = await readUntil(flows.watch(caseNo), inStage('dropOff'))
    expect(items.map(({ kind }) => kind)).toEqual(['Shipment', 'Stage'])
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('while Temporal refuses calls, a watch', () => {
  /** Calls of the watch that are refused, by their method. Without the retries of Temporal's client. */
  async function watchThrough(refuse: (method: string) => number | undefined, signal?: AbortSignal) {
    const relay = await startGrpcRelay(inject('temporal').address, { refuse })
    const connection = Connection.lazy({ address: relay.address, interceptors: [] })
    onTestFinished(async () => {
      await connection.close()
      await relay.stop()
    })
    const { caseNo, shipment } = await book(world, 'issue')
    const client = new Client({ connection, namespace: world.client.options.namespace })
    const watching = createFlowClient(client, { taskQueue: world.taskQueue }).watch(caseNo, {
      ...(signal && { signal }),
    })
    return { watching, relay, shipment, end: () => world.flows.cancel(caseNo, 'over') }
  }

  test('says so once for each outage, and reads the status afterwards without a new event', async () => {
    let left = 3
    const { watching, shipment } = await watchThrough(method =>
      method === 'QueryWorkflow' && left-- > 0 ? unavailable : undefined,
    )
    const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind)
    expect(kinds(await readUntil(watching, inStage('dropOff')))).toEqual(['Interrupted', 'Shipment', 'Stage'])
    left = 3
    await world.open(shipment, 'deliveryCode')
    const next = kinds(await readUntil(watching, inStage('pickUp')))
    expect(next.filter(kind => kind === 'Interrupted')).toHaveLength(1)
    await world.open(shipment, 'pickUpCode')
    await readUntil(watching, ({ kind }) => kind === 'Ended')
  })

  test('that its caller aborts between two attempts throws the reason at once', async () => {
    const reason = new Error('the caller has gone')
    const controller = new AbortController()
    const { watching, relay, end } = await watchThrough(
      method => (method === 'GetWorkflowExecutionHistory' ? unavailable : undefined),
      controller.signal,
    )
    expect((await watching.next()).value).toMatchObject({ kind: 'Interrupted' })
    const next = watching.next()
    next.catch(() => undefined)
    // The watch has the error of its fifth attempt, and waits more than three seconds for the next one.
    await expect.poll(() => relay.passed.filter(method => method === 'DescribeTaskQueue').length).toBe(5)
    const slowness = measureSlowness()
    const abortedAt = performance.now()
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
    expect((performance.now() - abortedAt) / slowness()).toBeLessThan(1_000)
    await end()
  })

  test.each([
    [7, 'TemporalDenied'],
    [13, 'TemporalFailed'],
  ])('ends at the status %i of gRPC, which a repetition cannot change', async (status, code) => {
    const { watching, end } = await watchThrough(() => status)
    await expect(watching.next()).rejects.toMatchObject({ name: 'FlowCallError', code })
    await end()
  })
})

test('an unknown case, a failed flow and an invalid cursor are the only item', async () => {
  const all = async (watching: AsyncIterable<Item>) => {
    const items: Item[] = []
    for await (const item of watching) items.push(item)
    return items
  }
  expect(await all(world.flows.watch('nothing'))).toMatchObject([{ kind: 'UnknownCase', code: 'UnknownCase' }])
  expect(await all(world.flows.watch('nothing', { after: 'x' }))).toMatchObject([
    { kind: 'Refused', code: 'InvalidCursor' },
  ])
  const caseNo = world.newCase(0)
  await world.flows.startAndWaitForBooking('stock', { caseNo, request: { ...parcel, PupUid: 'nowhere' } })
  const items = await all(world.flows.watch(caseNo))
  expect(items.at(-1)).toMatchObject({ kind: 'Refused', code: 'InvalidPupUid' })
})
