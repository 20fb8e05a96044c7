import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createFlowService } from '#worker/nexus'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { bundle } from '../../support/world/bundle.ts'

let builds: Builds

beforeAll(async () => {
  builds = await createBuilds()
})

afterAll(() => builds.stop())

test('a build whose workers do not poll the second task queue is not promoted', async () => {
  const { connection, deploymentName, world } = builds
  const { namespace } = inject('temporal')
  const { taskQueue } = world
  const half = await Worker.create({
    ...{ connection, namespace, taskQueue, workflowBundle: await bundle() },
    activities: { greet: async () => 'hello' },
    nexusServices: [createFlowService({})],
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName, buildId: 'half' },
      defaultVersioningBehavior: 'PINNED',
    },
  })
  const running = half.run()
  onTestFinished(async () => {
    half.shutdown()
    await running
  })
  for (const taskQueueType of [1, 2, 3]) {
    await eventually(async () => {
      const queue = { namespace, taskQueue: { name: taskQueue }, taskQueueType }
      const { pollers } = await connection.workflowService.describeTaskQueue(queue)
      return pollers.some(({ deploymentOptions }) => deploymentOptions?.buildId === 'half')
    })
  }
  const reasonsOf = async (buildId: string) => {
    const { objections } = await builds.promote(buildId, await bundle(), { onlyCheck: true })
    return objections.map(({ reason }) => reason)
  }
  expect(await reasonsOf('half')).toEqual([
    `no worker of the build ${deploymentName}:half polls the task queues ${taskQueue} and ${taskQueue}-outside`,
  ])

  await builds.start('whole', await bundle())
  await eventually(async () => (await reasonsOf('whole')).length === 0)
})
