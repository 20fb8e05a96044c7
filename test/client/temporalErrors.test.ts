import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createFlowClient, FlowCallError, type FlowClient } from '#client'
import { toWorkflowId } from '#flows'
import { converterOf, newKey } from '../support/codec/keys.ts'
import { book } from '../support/flows/booking.ts'
import { startGrpcRelay } from '../support/servers/grpcRelay.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'
import type { AnyFlowClient } from '../support/world/anyFlow.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

const [old, next] = [newKey('old'), newKey('next')]
/** Its worker encrypts with the new key already. */
const rotated = useWorld({ dataConverter: converterOf(next, old) })

/** Milliseconds. */
const timeout = 300

const input = { caseNo: 'I-1', request: parcel }

type Flows = AnyFlowClient & Pick<FlowClient, 'startAndWaitForEnd'>

/** Every call of the client that Temporal answers. */
const calls: Record<Exclude<keyof Flows, 'handle'>, (flows: Flows) => Promise<unknown>> = {
  start: flows => flows.start('stock', input),
  startAndWaitForBooking: flows => flows.startAndWaitForBooking('stock', input, { timeout }),
  waitForBooking: flows => flows.waitForBooking('I-1', { timeout }),
  startAndWaitForEnd: flows => flows.startAndWaitForEnd('stock', input as never, { timeout }),
  status: flows => flows.status('I-1'),
  waitForEnd: flows => flows.waitForEnd('I-1', { timeout }),
  result: flows => flows.result('I-1'),
  watch: flows => flows.watch('I-1').next(),
  list: flows => flows.list(),
  cancel: flows => flows.cancel('I-1', 'over', { timeout }),
  decide: flows => flows.decide('I-1', { decision: 'extend' }, { timeout }),
  assignReceiver: flows => flows.assignReceiver('I-1', 'U-1', { timeout }),
  release: flows => flows.release('I-1', { timeout }),
  answer: flows => flows.answer('I-1', { step: 'quote', answer: 'accept' } as never, { timeout }),
}

/** The code and the sentence of an error, a pending result or an interruption. */
interface Coded {
  readonly code: string
  readonly message: string
}

describe.each([
  { status: 3, says: 'WorkflowId length exceeds limit.', code: 'TemporalFailed' },
  { status: 7, says: 'Request unauthorized.', code: 'TemporalDenied' },
  { status: 8, says: 'namespace rate limit exceeded', code: 'TemporalLimitReached' },
  { status: 12, says: 'unknown method', code: 'TemporalFailed' },
  { status: 13, says: 'a fault of Temporal', code: 'TemporalFailed' },
  { status: 14, says: 'no connection', code: 'TemporalUnreachable' },
  { status: 16, says: 'no credentials', code: 'TemporalDenied' },
])('Temporal answers with the gRPC status $status', ({ status, says, code }) => {
  let standIn: Awaited<ReturnType<typeof startGrpcStandIn>>
  let connection: Connection
  let flows: Flows

  beforeAll(async () => {
    standIn = await startGrpcStandIn(status, says)
    // Without the retries of Temporal's client, which take 40 seconds.
    connection = Connection.lazy({ address: standIn.address, interceptors: [] })
    flows = createFlowClient(new Client({ connection }))
  })
  afterAll(async () => {
    await connection.close()
    await standIn.stop()
  })

  // Temporal's client takes an invalid argument of a query for a query that the workflow does not have.
  const answered = Object.entries(calls).filter(([name]) => !(status === 3 && name === 'status'))

  test.each(answered)(`%s has the code ${code}, a sentence and its page`, async (name, call) => {
    const answer = await call(flows).then(
      found => (name === 'watch' ? (found as IteratorResult<Coded>).value : found) as Coded,
      error => {
        expect(error).toBeInstanceOf(FlowCallError)
        expect(error.cause).toBeInstanceOf(Error)
        return error as Coded
      },
    )
    expect(answer).toMatchObject({ code, message: expect.stringContaining(standIn.address) })
    expect(answer.message).toMatch(new RegExp(`[^.]\\. See docs/reference/errors\\.md#${code.toLowerCase()}\\.$`))
    if (code === 'TemporalFailed' || code === 'TemporalLimitReached')
      expect(answer.message).toContain(says.replace(/\.$/, ''))
  })
})

test('an update that exceeds a limit of Temporal is sent again', async () => {
  let left = 2
  const refuse = (method: string) => (method === 'UpdateWorkflowExecution' && left-- > 0 ? 8 : undefined)
  const relay = await startGrpcRelay(inject('temporal').address, { refuse })
  const connection = Connection.lazy({ address: relay.address, interceptors: [] })
  onTestFinished(async () => {
    await connection.close()
    await relay.stop()
  })
  const { caseNo } = await book(world, 'stock')
  const client = new Client({ connection, namespace: world.client.options.namespace })
  const cancelled = await createFlowClient(client, { taskQueue: world.taskQueue }).cancel(caseNo, 'over')
  expect(cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
  expect(left).toBeLessThan(0)
})

test('a list in a namespace that does not exist is denied', async () => {
  const { connection } = world.client
  const flows = createFlowClient(new Client({ connection, namespace: 'nowhere' }))
  await expect(flows.list()).rejects.toMatchObject({ name: 'FlowCallError', code: 'TemporalDenied' })
})

test('a client that rejects queries of ended flows gets their code, and watches them to their end', async () => {
  const { connection, options } = world.client
  const workflow = { queryRejectCondition: 'NOT_OPEN' } as const
  const flows = createFlowClient(new Client({ connection, namespace: options.namespace, workflow }))
  const { caseNo } = await book(world, 'stock')
  const kinds: string[] = []
  for await (const { kind } of flows.watch(caseNo)) {
    if (kinds.push(kind) === 1) await world.flows.cancel(caseNo, 'over')
  }
  expect(kinds.at(-1)).toBe('Ended')
  expect(kinds).not.toContain('Interrupted')
  const refused = await flows.status(caseNo).catch(error => error)
  expect(refused).toBeInstanceOf(FlowCallError)
  expect(refused).toMatchObject({
    code: 'FlowEnded',
    message: 'The flow has ended, and the Temporal client rejects its queries. See docs/reference/errors.md#flowended.',
  })
})

describe('a client that cannot convert the data of a flow', () => {
  const maybe = 'If it cannot read the response, the call may have taken effect.'
  const page = 'See docs/reference/errors.md#datanotconverted.'
  const lacksKey = {
    name: 'FlowCallError',
    code: 'DataNotConverted',
    message: `The data converter of the Temporal client failed: LOCKERFLOW_CODEC_KEYS: must contain the key next, with which a payload is encrypted. ${maybe} ${page}`,
  }

  test('names the encoding that it does not know', async () => {
    const { connection, options } = world.client
    const dataConverter = converterOf(newKey('other'))
    const encrypting = createFlowClient(new Client({ connection, namespace: options.namespace, dataConverter }), {
      taskQueue: `none-${randomUUID()}`,
    })
    const caseNo = `T-${randomUUID()}`
    await encrypting.start('stock', { caseNo, request: parcel })
    const read = world.flows.start('stock', { caseNo, request: parcel })
    await expect(read).rejects.toMatchObject({
      name: 'FlowCallError',
      code: 'DataNotConverted',
      message: `The data converter of the Temporal client failed: Unknown encoding: binary/encrypted. ${maybe} ${page}`,
    })
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate()
  })

  test('names the key that it lacks, and says that the call may have taken effect', async () => {
    const { caseNo } = await book(rotated, 'stock')
    const { connection, options } = rotated.client
    const behind = new Client({ connection, namespace: options.namespace, dataConverter: converterOf(old) })
    const flows = createFlowClient(behind, { taskQueue: rotated.taskQueue })
    await expect(flows.status(caseNo)).rejects.toMatchObject(lacksKey)
    await expect(flows.watch(caseNo).next()).rejects.toMatchObject(lacksKey)
    await expect(flows.waitForBooking(caseNo)).rejects.toMatchObject(lacksKey)
    await expect(flows.cancel(caseNo, 'over')).rejects.toMatchObject(lacksKey)
    await expect(flows.waitForEnd(caseNo)).rejects.toMatchObject(lacksKey)
    expect(await rotated.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
  })

  test('names a value that it cannot write', async () => {
    const request = { ...parcel, Description: 10n }
    const written = world.flows.start('stock', { caseNo: `T-${randomUUID()}`, request })
    await expect(written).rejects.toMatchObject({ code: 'DataNotConverted', message: expect.stringContaining(page) })
  })
})
