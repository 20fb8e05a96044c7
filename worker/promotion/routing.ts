import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { findRouting, type Ramp, type Routing, toVersionName } from '../deployment.ts'
import type { ConnectedTarget } from './openFlows.ts'

/** Milliseconds until Temporal's record of a deployment has the task queues of a build whose workers poll already. */
const recorded = 15_000
/** gRPC: the request contradicts the state of the deployment. */
const failedPrecondition = 9

/** Repeats a change of the routing while Temporal misses task queues of the build, which it records a moment after the polls. */
async function whenQueuesAreKnown(change: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + recorded
  for (;;) {
    try {
      await change()
      return
    } catch (error) {
      const isMissing =
        error instanceof Error && 'code' in error && error.code === failedPrecondition && /missing/.test(error.message)
      if (!isMissing || Date.now() > end) throw error
      await setTimeout(500)
    }
  }
}

/** Makes a build the current one. Ends its ramp. Fails if the routing changed in the meantime. */
export async function setCurrent(
  { connection, namespace }: ConnectedTarget,
  build: WorkerDeploymentVersion,
  routing: Routing | undefined,
): Promise<void> {
  await whenQueuesAreKnown(() =>
    connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      ...build,
      ...(routing && { conflictToken: routing.token }),
    }),
  )
}

/** Routes a share of the flows to a build. Fails if the routing changed in the meantime. */
export async function setRamp(
  { connection, namespace }: ConnectedTarget,
  build: WorkerDeploymentVersion,
  percentage: number,
  { token }: Routing,
): Promise<void> {
  const conflictToken = token
  await whenQueuesAreKnown(() =>
    connection.workflowService.setWorkerDeploymentRampingVersion({ namespace, ...build, percentage, conflictToken }),
  )
}

/** Routes no flow to a build any more. Does nothing if it does not ramp. */
export async function endRamp(target: ConnectedTarget, { deploymentName, buildId }: WorkerDeploymentVersion) {
  const { connection, namespace } = target
  const routing = await findRouting(connection, namespace, deploymentName)
  if (routing?.ramp?.build.buildId !== buildId) return
  const none = { buildId: '', percentage: 0, conflictToken: routing.token }
  await connection.workflowService.setWorkerDeploymentRampingVersion({ namespace, deploymentName, ...none })
}

/** @throws Error if the deployment has no current build, or another command has changed the ramp of the build */
export async function requireRamp(
  { connection, namespace }: ConnectedTarget,
  build: WorkerDeploymentVersion,
): Promise<{ readonly routing: Routing; readonly current: WorkerDeploymentVersion; readonly ramp: Ramp }> {
  const routing = await findRouting(connection, namespace, build.deploymentName)
  const { current, ramp } = routing ?? {}
  if (routing && current && ramp && toVersionName(ramp.build) === toVersionName(build))
    return { routing, current, ramp }
  throw new Error(`--ramp: ${toVersionName(build)} does not ramp any more. Another command has changed the routing.`)
}
