import { temporal } from '@temporalio/proto'
import { NativeConnection } from '@temporalio/worker'
import { expect, test } from 'vitest'
import { findRouting } from '../../../worker/deployment.ts'
import { startGrpcStandIn } from '../../support/servers/grpcStandIn.ts'

const { DescribeWorkerDeploymentResponse } = temporal.api.workflowservice.v1

const described = DescribeWorkerDeploymentResponse.encode({
  conflictToken: new Uint8Array([1]),
  workerDeploymentInfo: {
    routingConfig: { currentDeploymentVersion: { deploymentName: 'lockerflow', buildId: 'good' } },
  },
}).finish()

/** Finds the deployment at a server that misses it a number of times. */
async function findAfter(missing: number) {
  let calls = 0
  const answers = {
    // The connection asks for it first.
    GetSystemInfo: new Uint8Array(),
    get DescribeWorkerDeployment() {
      return ++calls > missing ? described : undefined
    },
  }
  const server = await startGrpcStandIn(5, 'Worker Deployment not found', answers)
  const connection = await NativeConnection.connect({ address: server.address })
  try {
    return await findRouting(connection, 'default', 'lockerflow')
  } finally {
    await connection.close()
    await server.stop()
  }
}

test('a deployment is found although Temporal misses it while its workflow continues as new', async () => {
  expect(await findAfter(2)).toMatchObject({ current: { buildId: 'good' }, ramp: undefined })
})

test('a deployment that Temporal misses each time has no routing', async () => {
  expect(await findAfter(Number.POSITIVE_INFINITY)).toBeUndefined()
})
