import type { NativeConnection } from '@temporalio/worker'

/** A build of the worker, as Temporal knows it: a version of a worker deployment. */
export interface Build {
  readonly deploymentName: string
  readonly buildId: string
}

/** What Temporal routes a deployment's tasks to. */
export interface Routing {
  /** Where new flows and those that move go to; undefined: to workers without a build, or to nobody. */
  readonly current: Build | undefined
  /** Proves to Temporal that nobody changed the routing in the meantime. */
  readonly token: Uint8Array
}

/** gRPC's number. */
const notFound = 5

/** The first version of Temporal's server that knows a behaviour for each workflow for good. */
const firstServer = '1.29.1'

/** As Temporal writes it, in its search attributes too. */
export function nameOf({ deploymentName, buildId }: Build): string {
  return `${deploymentName}:${buildId}`
}

/** How a deployment is routed; undefined when no worker of it has ever polled. */
export async function routingOf(
  { workflowService }: NativeConnection,
  namespace: string,
  deploymentName: string,
): Promise<Routing | undefined> {
  try {
    const { conflictToken, workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    })
    const current = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion
    return { current: buildOf(current), token: conflictToken }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === notFound) return undefined
    throw error
  }
}

/** Temporal leaves empty what there is not. */
export function buildOf(version: Partial<Record<keyof Build, string | null>> | null | undefined): Build | undefined {
  const { deploymentName, buildId } = version ?? {}
  return deploymentName && buildId ? { deploymentName, buildId } : undefined
}

/** Refuses a server whose Worker Versioning is not there yet, or is another. */
export async function requireVersioning({ workflowService }: NativeConnection): Promise<void> {
  const { serverVersion } = await workflowService.getSystemInfo({})
  if (isOlder(serverVersion, firstServer)) {
    throw new Error(
      `Temporal is ${serverVersion}, and a worker with a build needs ${firstServer}: leave LOCKERFLOW_DEPLOYMENT out`,
    )
  }
}

/** Whether one version, such as 1.28.0 or 1.30.0-143, is older than the other. A text that is none is not. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0 && /^\d+\.\d+/.test(version)
}
