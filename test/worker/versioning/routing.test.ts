import protos from '@temporalio/proto'
import { NativeConnection } from '@temporalio/worker'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findRouting } from '../../../worker/deployment.ts'
import { setRamp } from '../../../worker/promotion/routing.ts'
import { startGrpcStandIn } from '../../support/servers/grpcStandIn.ts'

const { temporal } = protos

const { DescribeWorkerDeploymentResponse, DescribeWorkerDeploymentVersionResponse } = temporal.api.workflowservice.v1

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

test('a namespace that does not exist is not a deployment without routing', async () => {
  const connection = await NativeConnection.connect({ address: inject('temporal').address })
  onTestFinished(() => connection.close())
  await expect(findRouting(connection, 'nowhere', 'any')).rejects.toThrow(/namespace nowhere is not found/i)
})

const [workflows, activities] = [
  { name: 'lockers', type: 1 },
  { name: 'lockers', type: 2 },
]
const outside = { name: 'lockers-outside', type: 2 }

test.each([
  ['the build', [undefined, undefined]],
  ['its task queues', [[], [workflows]]],
  ['the task queue of its activities', [[workflows], [workflows, outside]]],
  [
    'its second task queue',
    [
      [workflows, activities],
      [workflows, activities],
    ],
  ],
])('a ramp waits until Temporal has recorded %s', async (_missing, before) => {
  const recorded = [...before, [workflows, activities, outside]]
  const calls: string[] = []
  const server = await startGrpcStandIn(5, 'not found', {
    GetSystemInfo: new Uint8Array(),
    get DescribeWorkerDeploymentVersion() {
      calls.push('describe')
      const versionTaskQueues = recorded.shift()
      return versionTaskQueues && DescribeWorkerDeploymentVersionResponse.encode({ versionTaskQueues }).finish()
    },
    get SetWorkerDeploymentRampingVersion() {
      calls.push('ramp')
      return new Uint8Array()
    },
  })
  const connection = await NativeConnection.connect({ address: server.address })
  try {
    const target = { connection, namespace: 'default', taskQueue: 'lockers' }
    const routing = { current: undefined, ramp: undefined, buildIds: [], token: new Uint8Array() }
    await setRamp(target, { deploymentName: 'lockerflow', buildId: 'good' }, 5, routing)
    expect(calls).toEqual(['describe', 'describe', 'describe', 'ramp'])
  } finally {
    await connection.close()
    await server.stop()
  }
})
