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
