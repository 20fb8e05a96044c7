import { setTimeout } from 'node:timers/promises'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type { NativeConnection } from '@temporalio/worker'
import { grpcStatuses } from '#contract/terms'
import { grpcStatusOf } from './temporalErrors.ts'

type VersionSummary = temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary

/** How Temporal routes the tasks of a deployment. */
export interface Routing {
  /** The build of new flows and of flows that move. Undefined: unversioned workers process them. */
  readonly current: WorkerDeploymentVersion | undefined
  /** The build that gets a share of the new flows, and of those that move. */
  readonly ramp: Ramp | undefined
  /** The ids of all builds whose workers have polled, the oldest first. */
  readonly buildIds: readonly string[]
  /** Lets Temporal refuse a change when the routing changed in the meantime. */
  readonly token: Uint8Array
}

export interface Ramp {
  readonly build: WorkerDeploymentVersion
  /** 0 to 100. */
  readonly percentage: number
  /** When its first step began, by Temporal's clock. */
  readonly since: Date
}

/** Attempts to find a deployment, and the milliseconds between them. */
const notFoundAttempts = 5
const notFoundPause = 100

/** The oldest server that lockerflow supports. */
export const minimumServer = '1.31.0'

/** The version as one text, in the spelling of Temporal's search attributes. */
export function toVersionName({ deploymentName, buildId }: WorkerDeploymentVersion): string {
  return `${deploymentName}:${buildId}`
}

/**
 * Returns the routing of a deployment; undefined when no worker of it has ever polled. Temporal's workflow of a deployment
 * continues as new after each change, and a query that arrives in that moment is answered with NOT_FOUND as well. So that
 * answer counts only when it is repeated.
 */
export async function findRouting(
  connection: NativeConnection,
  namespace: string,
  deploymentName: string,
): Promise<Routing | undefined> {
  for (let attempt = 1; ; attempt++) {
    const routing = await describeRouting(connection, namespace, deploymentName)
    if (routing !== undefined || attempt === notFoundAttempts) return routing
    await setTimeout(notFoundPause)
  }
}

async function describeRouting(
  { workflowService }: NativeConnection,
  namespace: string,
  deploymentName: string,
): Promise<Routing | undefined> {
  try {
    const { conflictToken, workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    })
    const config = workerDeploymentInfo?.routingConfig
    const build = toVersion(config?.rampingDeploymentVersion)
    const ramp = build && {
      build,
      percentage: config?.rampingVersionPercentage ?? 0,
      since: new Date(Number(config?.rampingVersionChangedTime?.seconds ?? 0) * 1_000),
    }
    const summaries = workerDeploymentInfo?.versionSummaries ?? []
    const byAge = summaries.toSorted((one, other) => createdAt(one) - createdAt(other))
    const buildIds = byAge.flatMap(({ deploymentVersion }) => toVersion(deploymentVersion)?.buildId ?? [])
    return { current: toVersion(config?.currentDeploymentVersion), ramp, buildIds, token: conflictToken }
  } catch (error) {
    if (grpcStatusOf(error) === grpcStatuses.notFound && !isWithoutNamespace(error)) return undefined
    throw error
  }
}

/** Seconds, by Temporal's clock. */
function createdAt({ createTime }: Pick<VersionSummary, 'createTime'>): number {
  return Number(createTime?.seconds ?? 0) + (createTime?.nanos ?? 0) / 1e9
}

/** Temporal answers a namespace that it does not have with the same status. */
function isWithoutNamespace(error: unknown): boolean {
  return error instanceof Error && /namespace \S+ is not found/i.test(error.message)
}

/** Temporal returns empty strings for a missing version. */
export function toVersion(
  version: Partial<Record<keyof WorkerDeploymentVersion, string | null>> | null | undefined,
): WorkerDeploymentVersion | undefined {
  const { deploymentName, buildId } = version ?? {}
  return deploymentName && buildId ? { deploymentName, buildId } : undefined
}

/** Throws when the server is too old for Worker Versioning. */
export async function requireVersioning({ workflowService }: NativeConnection): Promise<void> {
  const { serverVersion } = await workflowService.getSystemInfo({})
  if (isOlder(serverVersion, minimumServer)) {
    throw new Error(
      `LOCKERFLOW_DEPLOYMENT: Temporal ${serverVersion} is too old, a worker with a build needs ${minimumServer}. Leave the variable out.`,
    )
  }
}

/** Compares versions such as 1.30.1 and 1.31.0-151. Returns false for a text that is not a version. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0 && /^\d+\.\d+/.test(version)
}
