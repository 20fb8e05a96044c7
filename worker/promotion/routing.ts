import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { grpcStatuses, workerQueues } from '#contract/terms'
import { findRouting, type Ramp, type Routing, toVersionName } from '../deployment.ts'
import { grpcStatusOf } from '../temporalErrors.ts'
import type { ConnectedTarget } from './openFlows.ts'

/** Milliseconds until Temporal's record of a deployment has a build and the task queues that its workers poll already. */
const recorded = 15_000

/** Milliseconds between two attempts. */
const pause = 500

/** Errors of a change of the routing before the build is recorded: codes of gRPC. */
const unrecorded: readonly { readonly code: number; readonly message: RegExp }[] = [
  { code: grpcStatuses.notFound, message: /not found in deployment/ },
  { code: grpcStatuses.failedPrecondition, message: /missing/ },
]

/** Temporal's message for a conflict token that is not the latest one. */
const conflict = /conflict token mismatch/

/**
 * Repeats a change of the routing until Temporal has recorded the build, which it does a moment after the first polls.
 * While no tasks come, Temporal accepts a change before it has recorded the task queues of the build, and then routes to
 * the earlier build until it has. So the change waits for them.
 * @throws Error if another command has changed the routing since it was read
 */
async function whenRecorded(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  change: () => Promise<unknown>,
): Promise<void> {
  const { deploymentName } = build
  const end = Date.now() + recorded
  while (Date.now() < end && !(await areQueuesRecorded(target, build))) await setTimeout(pause)
  for (;;) {
    try {
      await change()
      return
    } catch (error) {
      if (error instanceof Error && conflict.test(error.message)) throw new Error(changedMeanwhile(deploymentName))
      if (!isUnrecorded(error) || Date.now() > end) throw error
      await setTimeout(pause)
    }
  }
}

/** Returns true when Temporal's record of a build has its task queues. */
async function areQueuesRecorded(
  { connection, namespace, taskQueue }: ConnectedTarget,
  deploymentVersion: WorkerDeploymentVersion,
): Promise<boolean> {
  try {
    const { versionTaskQueues } = await connection.workflowService.describeWorkerDeploymentVersion({
      namespace,
      deploymentVersion,
    })
    return workerQueues(taskQueue).every(needed =>
      versionTaskQueues.some(({ name, type }) => name === needed.name && type === needed.type),
    )
  } catch (error) {
    if (grpcStatusOf(error) === grpcStatuses.notFound) return false
    throw error
  }
}

function changedMeanwhile(deploymentName: string): string {
  return `--deployment: another command has changed the routing of ${deploymentName} meanwhile. Run this one again.`
}

function isUnrecorded(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return unrecorded.some(({ code, message }) => error.code === code && message.test(error.message))
}

/** Makes a build the current one. Ends its ramp. Fails if the routing changed in the meantime. */
export async function setCurrent(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  routing: Routing | undefined,
): Promise<void> {
  const { connection, namespace } = target
  await whenRecorded(target, build, () =>
    connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      ...build,
      ...(routing && { conflictToken: routing.token }),
    }),
  )
}

/** Routes a share of the flows to a build. Fails if the routing changed in the meantime. */
export async function setRamp(
  target: ConnectedTarget,
  build: WorkerDeploymentVersion,
  percentage: number,
  { token }: Routing,
): Promise<void> {
  const { connection, namespace } = target
  const conflictToken = token
  await whenRecorded(target, build, () =>
    connection.workflowService.setWorkerDeploymentRampingVersion({ namespace, ...build, percentage, conflictToken }),
  )
}

/** Stops routing flows to a build. Does nothing if it does not ramp. */
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
  throw new Error(`--ramp: ${toVersionName(build)} no longer ramps. Another command has changed the routing.`)
}
