import { Client, Connection } from '@temporalio/client'
import { expect, onTestFinished, test } from 'vitest'
import { createFlowClient } from '#client'
import { toFlowApiError } from '../../../gateway/flowApi/failures.ts'
import { startGrpcStandIn } from '../../support/servers/grpcStandIn.ts'

const words = 'the words of Temporal'

test.each([
  { grpc: 3, code: 'InvalidRequest', status: 400, says: 'Temporal rejected a value of the request.' },
  { grpc: 7, code: 'TemporalDenied', status: 503, says: 'denied the call' },
  { grpc: 8, code: 'TemporalLimitReached', status: 503, says: words },
  { grpc: 13, code: 'InternalError', status: 500, says: 'the request id is R-1.' },
  { grpc: 14, code: 'TemporalUnreachable', status: 503, says: 'was not reached' },
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
