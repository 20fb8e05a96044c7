import { Client, Connection } from '@temporalio/client'
import { expect, onTestFinished, test } from 'vitest'
import { createObserver } from '../../gateway/metrics.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'

test('counts that Temporal denies are logged with its reason', async () => {
  const standIn = await startGrpcStandIn(7, 'Request unauthorized.')
  const connection = Connection.lazy({ address: standIn.address })
  const client = new Client({ connection, namespace: 'default' })
  const logged = Promise.withResolvers<object>()
  const observer = createObserver({ warn: (line: object) => logged.resolve(line) })
  const stop = observer.measure({
    state: { temporal: true, service: true },
    client,
    namespace: 'default',
    taskQueue: 'flows',
  })
  onTestFinished(async () => {
    stop()
    await connection.close()
    await standIn.stop()
  })
  expect(await logged.promise).toMatchObject({ logId: 'flows-not-counted', reason: 'gRPC 7: Request unauthorized.' })
})
