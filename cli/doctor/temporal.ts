import type { Connection } from '@temporalio/client'
import { searchAttributes } from '#flows'
import { isOlder, minimumServer } from '#worker/deployment'
import { answerTimeout, type Finding, type Installation, ok, reasonOf, unknown, wrong } from './examination.ts'

/** Temporal's numbers of the task queue types. */
const queueTypes = { workflows: 1, activities: 2 } as const

/** Milliseconds. A worker polls at least once a minute, and Temporal lists it for five minutes. */
const recentPoll = 90_000

const notFound = 5

/** Temporal answers. */
export async function examineTemporal({ target, unreachable }: Installation): Promise<Finding> {
  const { address = '' } = target.temporal
  if (unreachable === undefined) return ok(address)
  return wrong(`${address}: ${unreachable}`, 'Start Temporal, or set TEMPORAL_ADDRESS to the address of a running one.')
}

/** The version of the server. */
export async function examineVersion(installation: Installation): Promise<Finding> {
  return ask(installation, async ({ workflowService }) => {
    const { serverVersion } = await workflowService.getSystemInfo({})
    if (!isOlder(serverVersion, minimumServer)) return ok(serverVersion)
    return wrong(serverVersion, `Update Temporal's server to ${minimumServer} or later.`)
  })
}

/** The namespace exists. */
export async function examineNamespace(installation: Installation): Promise<Finding> {
  const { namespace } = installation.target
  return ask(installation, async ({ workflowService }) => {
    try {
      const { config } = await workflowService.describeNamespace({ namespace })
      const hours = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 3_600
      const length = hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${Number(hours.toFixed(1))} hours`
      return ok(`${namespace}, which keeps closed flows for ${length}`)
    } catch (error) {
      if (!isNotFound(error)) throw error
      return wrong(
        `${namespace} does not exist`,
        `Set TEMPORAL_NAMESPACE to an existing one, or create it: temporal operator namespace create --namespace ${namespace}.`,
      )
    }
  })
}

/** All search attributes are registered: a single missing one stops every flow. */
export async function examineAttributes(installation: Installation): Promise<Finding> {
  const { namespace } = installation.target
  return ask(installation, async ({ operatorService }) => {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    const declared = Object.values(searchAttributes)
    const missing = declared.filter(({ name }) => !Object.hasOwn(customAttributes ?? {}, name))
    if (missing.length === 0) return ok(`all ${declared.length} are registered`)
    const words = missing.map(({ name, type }) => `--name ${name} --type ${type}`).join(' ')
    return wrong(
      `missing: ${missing.map(({ name }) => name).join(', ')}`,
      `Register them: temporal operator search-attribute create --namespace ${namespace} ${words}`,
    )
  })
}

/** Workers poll the task queue for workflows and activities. */
export async function examinePollers(installation: Installation): Promise<Finding> {
  const { namespace, taskQueue } = installation.target
  return ask(installation, async ({ workflowService }) => {
    const polled = await Promise.all(
      Object.entries(queueTypes).map(async ([name, taskQueueType]) => {
        const { pollers } = await workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType,
        })
        const alive = pollers.filter(
          ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < recentPoll,
        )
        return { name, identities: alive.map(({ identity }) => identity ?? '') }
      }),
    )
    const without = polled.filter(({ identities }) => identities.length === 0).map(({ name }) => name)
    const identities = [...new Set(polled.flatMap(each => each.identities))]
    if (without.length === 0) return ok(`${taskQueue} is polled by ${identities.join(', ')}`)
    return wrong(
      `no worker polls ${taskQueue} for ${without.join(' and ')}`,
      'Start a worker: lockerflow worker. LOCKERFLOW_TASK_QUEUE names its task queue.',
    )
  })
}

/** The deployment has a current version, if workers have builds. */
export async function examineDeployment(installation: Installation): Promise<Finding> {
  const { namespace } = installation.target
  const { LOCKERFLOW_DEPLOYMENT: deploymentName } = installation.environment
  if (!deploymentName) return ok('workers without builds, since LOCKERFLOW_DEPLOYMENT is not set')
  return ask(installation, async ({ workflowService }) => {
    const promote = `Promote a build: lockerflow promote --deployment ${deploymentName} --build-id <id>.`
    try {
      const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({ namespace, deploymentName })
      const current = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId
      return current
        ? ok(`${deploymentName}, current build ${current}`)
        : wrong(`${deploymentName} has no current build`, promote)
    } catch (error) {
      if (!isNotFound(error) || isNamespaceNotFound(error)) throw error
      return wrong(
        `${deploymentName} does not exist`,
        `Start a worker with LOCKERFLOW_DEPLOYMENT=${deploymentName}. ${promote}`,
      )
    }
  })
}

/** Asks Temporal. The finding is unknown if it cannot be reached, or does not have the namespace. */
export async function ask(
  { connection }: Installation,
  question: (connection: Connection) => Promise<Finding>,
): Promise<Finding> {
  if (connection === undefined) return unknown('Temporal cannot be reached')
  try {
    return await connection.withDeadline(Date.now() + answerTimeout, () => question(connection))
  } catch (error) {
    if (isNamespaceNotFound(error)) return unknown('the namespace does not exist')
    return wrong(
      reasonOf(error),
      'Compare TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the TLS settings with those of the server.',
    )
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === notFound
}

/** The status is also that of a missing deployment; Temporal's sentence tells them apart. */
function isNamespaceNotFound(error: unknown): boolean {
  return isNotFound(error) && /Namespace .* is not found/.test(reasonOf(error))
}
