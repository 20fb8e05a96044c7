import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { asyncLocalStorage, type HandlerContext } from '@temporalio/nexus/lib/context.js'
import { NativeConnection } from '@temporalio/worker'
import type { CancelOperationContext, StartOperationContext } from 'nexus-rpc'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { bookHandler } from '../../../worker/nexus/book.ts'
import { cancelHandler, statusHandler } from '../../../worker/nexus/messages.ts'
import { startHandler } from '../../../worker/nexus/start.ts'
import { book } from '../../support/flows/booking.ts'
import { startGrpcRelay } from '../../support/servers/grpcRelay.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const handlers = { start: startHandler({}), book: bookHandler({}) }

/** Runs a handler as the worker does. */
function inWorker<Result>(work: () => Promise<Result>, client = world.client): Promise<Result> {
  const { taskQueue } = world
  const { namespace } = client.options
  return asyncLocalStorage.run({ client, taskQueue, namespace, endpoint: 'flows' } as HandlerContext, work)
}

/** The token of an operation, which its caller sends back and can change. */
function tokenOf(workflowId: string, namespace: string = world.client.options.namespace): string {
  return Buffer.from(JSON.stringify({ t: 1, ns: namespace, wid: workflowId })).toString('base64url')
}

function cancel(operation: keyof typeof handlers, token: string): Promise<void> {
  return inWorker(async () => handlers[operation].cancel({} as CancelOperationContext, token))
}

describe('a cancellation is refused', () => {
  async function startOther(workflowId: string) {
    const handle = await world.client.workflow.start('other', { workflowId, taskQueue: 'without-worker' })
    onTestFinished(() => handle.terminate().then(() => undefined))
    return async () => {
      const { events } = await handle.fetchHistory()
      return events?.some(event => event.workflowExecutionCancelRequestedEventAttributes) === true
    }
  }

  test.each(['start', 'book'] as const)('of the operation %s whose token names no flow', async operation => {
    const workflowId = `payroll-${randomUUID()}`
    const isCancelled = await startOther(workflowId)
    await expect(cancel(operation, tokenOf(workflowId))).rejects.toMatchObject({ type: 'NOT_FOUND' })
    expect(await isCancelled()).toBe(false)
  })

  test('of the operation book whose token names a flow, which continues without it', async () => {
    const workflowId = toWorkflowId(`T-${randomUUID()}`)
    const isCancelled = await startOther(workflowId)
    await expect(cancel('book', tokenOf(workflowId))).rejects.toMatchObject({ type: 'NOT_FOUND' })
    expect(await isCancelled()).toBe(false)
  })

  test.each([
    ['is not a token', () => 'nonsense'],
    ['is of another namespace', () => tokenOf(toWorkflowId('T-1'), 'another')],
  ])('whose token %s', async (_, token) => {
    await expect(cancel('start', token())).rejects.toMatchObject({ type: 'NOT_FOUND' })
  })
})

describe('without a worker, and with a slow Temporal,', () => {
  const context = { requestId: 'request', inboundLinks: [], outboundLinks: [] } as unknown as StartOperationContext
  const handlerDeadline = 10_000
  const slow = ['RequestCancelWorkflowExecution', 'DescribeTaskQueue', 'DescribeWorkflowExecution']

  test.each([
    ['status', (caseNo: string) => statusHandler(context, { caseNo })],
    ['cancel', (caseNo: string) => cancelHandler(context, { caseNo, reason: 'over' })],
  ])('the operation %s ends before the handler does', async (_, operation) => {
    const { caseNo } = await book(world, 'stock')
    await world.stopWorker()
    const relay = await startGrpcRelay(inject('temporal').address, {
      after: async method => (slow.includes(method) ? setTimeout(handlerDeadline) : undefined),
    })
    // A worker lends its own connection, which differs from that of `@temporalio/client`.
    const connection = await NativeConnection.connect({ address: relay.address })
    const client = new Client({ connection, namespace: world.client.options.namespace })
    const startedAt = performance.now()
    const response = inWorker(async () => operation(caseNo), client)
    await expect(response).rejects.toMatchObject({ type: 'UNAVAILABLE' })
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    await connection.close()
    await relay.stop()
    await world.restartWorker()
    await world.flows.cancel(caseNo, 'over')
    await world.flows.waitForEnd(caseNo)
  })
})
