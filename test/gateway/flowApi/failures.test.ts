import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createFlowClient, FlowCallError } from '#client'
import { CodecError } from '#platform/codec'
import { toFlowApiError } from '../../../gateway/flowApi/failures.ts'
import { eventually } from '../../support/eventually.ts'
import { startGrpcStandIn } from '../../support/servers/grpcStandIn.ts'

const words = 'the words of Temporal'

test.each([
  { grpc: 3, code: 'InvalidRequest', status: 400, says: 'Temporal rejected a value of the request.' },
  { grpc: 7, code: 'TemporalDenied', status: 503, says: 'denied the call' },
  { grpc: 8, code: 'TemporalLimitReached', status: 503, says: words },
  { grpc: 13, code: 'InternalError', status: 500, says: 'the request id is R-1.' },
  { grpc: 14, code: 'TemporalUnreachable', status: 503, says: 'could not be reached' },
])('the gRPC status $grpc is the problem $code', async ({ grpc, code, status, says }) => {
  const standIn = await startGrpcStandIn(grpc, words)
  // Without the retries of Temporal's client.
  const connection = Connection.lazy({ address: standIn.address, interceptors: [] })
  onTestFinished(async () => {
    await connection.close()
    await standIn.stop()
  })
  const started = createFlowClient(new Client({ connection })).start('stock', { caseNo: 'I-1', request: {} as never })
  const problem = toFlowApiError(await started.catch(error => error), 'R-1')
  expect(problem).toMatchObject({ code, status, message: expect.stringContaining(says) })
  expect(problem.message.includes(words)).toBe(grpc === 8)
})

const lacksKey = new CodecError('must contain the key 2026-11')

test.each([
  ['by the data converter', lacksKey],
  ['by a call to a flow', new FlowCallError({ code: 'DataNotConverted', message: 'A sentence.' }, lacksKey)],
])('a key that the gateway lacks is named: thrown %s', (_, thrown) => {
  const problem = toFlowApiError(thrown, 'R-1')
  expect(problem).toMatchObject({
    code: 'InternalError',
    status: 500,
    message: expect.stringContaining('LOCKERFLOW_CODEC_KEYS: must contain the key 2026-11'),
  })
})

test('a namespace without the search attributes of flows is not a fault of the request', async () => {
  const connection = await Connection.connect({ address: inject('temporal').address })
  onTestFinished(() => connection.close())
  const namespace = `bare-${randomUUID()}`
  const workflowExecutionRetentionPeriod = msToTs('1 day')
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  const flows = createFlowClient(new Client({ connection, namespace }))
  await eventually(() => flows.status('I-1').catch(() => undefined))
  const input = { caseNo: 'I-1', request: {} as never }
  const calls = [
    () => flows.start('stock', input),
    () => flows.startAndWaitForBooking('stock', input),
    () => flows.list(),
  ]
  for (const call of calls) {
    const error = await call().catch(error => error)
    // Temporal's server names any one of the attributes that are missing.
    expect(error).toMatchObject({ code: 'TemporalFailed', message: expect.stringMatching(/Lockerflow(Case|Flow)/) })
    expect(toFlowApiError(error, 'R-1')).toMatchObject({ code: 'Unavailable', status: 503 })
  }
})
