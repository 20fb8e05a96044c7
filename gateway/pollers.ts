import type { Client } from '@temporalio/client'

/** Temporal's numbers of the two kinds of task queues that flows need. */
const queueTypes = { workflow: 1, activity: 2 } as const

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

/**
 * Counts the workers that polled a task queue within the last minutes, by the build to which Temporal sends new flows. Workers
 * of earlier builds do not count: they poll until their own flows have ended, and get no new ones (D-420).
 */
export async function countPollers(
  { workflowService }: Client,
  namespace: string,
  taskQueue: string,
): Promise<readonly PollerCount[]> {
  const counts: PollerCount[] = []
  for (const [kind, taskQueueType] of Object.entries(queueTypes)) {
    const { pollers, versioningInfo } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType,
    })
    const polling = (pollers ?? []).map(({ deploymentOptions }) =>
      nameOf(deploymentOptions?.workerVersioningMode === versioned ? deploymentOptions : undefined),
    )
    const countOf = (version: Version) => polling.filter(name => name === nameOf(version)).length
    counts.push({ kind, build: 'current', count: countOf(versioningInfo?.currentDeploymentVersion) })
    // A ramp that was ended keeps its build in the record, with a share of 0.
    if (versioningInfo?.rampingVersionPercentage)
      counts.push({ kind, build: 'ramping', count: countOf(versioningInfo.rampingDeploymentVersion) })
  }
  return counts
}

/** Workers without a build have the empty name. Temporal leaves the current version out when they get the new flows. */
function nameOf(version: Version): string {
  return version?.buildId ? `${version.deploymentName}:${version.buildId}` : ''
}
