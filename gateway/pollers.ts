import type { Client } from '@temporalio/client'
import { workerQueues } from '#contract/terms'

/** Temporal's number of a worker that gets the tasks of its build only. */
const versioned = 2

/** A build as Temporal names it, in the record of a task queue or of a poll. */
type Version = { readonly deploymentName?: string | null; readonly buildId?: string | null } | null | undefined

export interface PollerCount {
  readonly kind: string
  /** `current`, or `ramping` while a ramp sends a share of the flows to another build. */
  readonly build: string
  readonly count: number
}

/** The workers of one kind that Temporal lists for a task queue: those that polled within the last minutes. */
export interface QueuePollers {
  readonly kind: ReturnType<typeof workerQueues>[number]['kind']
  /** The name of the task queue. */
  readonly name: string
  readonly pollers: readonly Poller[]
  /** The names of the builds to which Temporal sends new flows, by their role. Workers without a build have the empty name. */
  readonly builds: { readonly current: string; readonly ramping?: string }
}

export interface Poller {
  readonly identity: string
  /** Empty for a worker without a build. */
  readonly build: string
  /** Milliseconds since the epoch, by Temporal's clock, in whole seconds. */
  readonly polledAt: number
}

/**
 * Counts the workers that polled each task queue of the flows within the last minutes, by the build to which Temporal sends new flows. Workers
 * of earlier builds do not count: they poll until their own flows have ended, and get no new ones.
 */
export async function countPollers(
  { workflowService }: Client,
  namespace: string,
  taskQueue: string,
): Promise<readonly PollerCount[]> {
  const queues = await readPollers(workflowService, namespace, taskQueue)
  return queues.flatMap(({ kind, pollers, builds }) =>
    Object.entries(builds).map(([build, name]) => {
      return { kind, build, count: pollers.filter(poller => poller.build === name).length }
    }),
  )
}

/** Reads the workers that polled the task queues of the flows, and the builds to which Temporal sends new flows. */
export async function readPollers(
  service: Pick<Client['workflowService'], 'describeTaskQueue'>,
  namespace: string,
  taskQueue: string,
): Promise<readonly QueuePollers[]> {
  return Promise.all(
    workerQueues(taskQueue).map(async ({ kind, name, type }) => {
      const { pollers, versioningInfo } = await service.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: type,
      })
      const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } = versioningInfo ?? {}
      return {
        kind,
        name,
        pollers: pollers.map(({ identity, deploymentOptions, lastAccessTime }) => ({
          identity: identity ?? '',
          build: nameOf(deploymentOptions?.workerVersioningMode === versioned ? deploymentOptions : undefined),
          polledAt: Number(lastAccessTime?.seconds ?? 0) * 1_000,
        })),
        builds: {
          current: nameOf(currentDeploymentVersion),
          // A ramp that was ended keeps its build in the record, with a share of 0.
          ...(rampingVersionPercentage && { ramping: nameOf(rampingDeploymentVersion) }),
        },
      }
    }),
  )
}

/** Workers without a build have the empty name. Temporal leaves the current version out when they get the new flows. */
function nameOf(version: Version): string {
  return version?.buildId ? `${version.deploymentName}:${version.buildId}` : ''
}
