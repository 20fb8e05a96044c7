import type { Connection } from '@temporalio/client'
import { grpcStatuses, toOutsideQueue } from '#contract/terms'
import { searchAttributes } from '#flows'
import { type Poller, readPollers } from '#gateway/pollers'
import { isOlder, minimumServer } from '#worker/deployment'
import { answerTimeout, type Finding, type Installation, ok, reasonOf, unknown, wrong } from './examination.ts'

const plurals = { workflow: 'workflows', activity: 'activities', outside: 'activities' } as const

/** Milliseconds. A worker polls at least once a minute, and Temporal lists it for five minutes. */
const recentPoll = 90_000

/** Temporal answers. */
export async function examineTemporal({ target, unreachable }: Installation): Promise<Finding> {
  if (unreachable === undefined) return ok(target.temporal.address ?? '')
  // The reason names the address.
  return wrong(unreachable, 'Start Temporal, or set TEMPORAL_ADDRESS to the address of a running one.')
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

/** Workers of the build that gets new flows poll both task queues. */
export async function examinePollers(installation: Installation): Promise<Finding> {
  const { namespace, taskQueue } = installation.target
  return ask(installation, async ({ workflowService }) => {
    const queues = (await readPollers(workflowService, namespace, taskQueue)).map(({ kind, name, pollers, builds }) => {
      const alive = pollers.filter(({ polledAt }) => Date.now() - polledAt < recentPoll)
      return { kind, name, alive, ...builds, polling: new Set(alive.map(({ build }) => build)) }
    })
    const without = queues.filter(({ current, polling }) => !polling.has(current))
    const describe = (missing: typeof queues) => {
      const byName = Object.entries(Object.groupBy(missing, ({ name }) => name))
      const texts = byName.map(([name, of = []]) => `${name} for ${of.map(({ kind }) => plurals[kind]).join(' and ')}`)
      return `no worker polls ${texts.join(', nor ')}`
    }
    if (without[0] !== undefined) {
      const others = new Set(without.flatMap(({ alive }) => alive.map(({ build }) => build)))
      return unpolled(describe(without), without[0].current, [...others])
    }
    const unramped = queues.filter(({ ramping, polling }) => ramping !== undefined && !polling.has(ramping))
    const ramping = unramped[0]?.ramping
    if (ramping === undefined)
      return ok(
        `${taskQueue} and ${toOutsideQueue(taskQueue)} are polled by ${listPollers(queues.flatMap(({ alive }) => alive))}`,
      )
    return wrong(
      `${describe(unramped)}: a share of the flows goes to ${describeWorkers(ramping)}`,
      'Start workers of that build, or end its ramp: lockerflow promote --roll-back.',
    )
  })
}

/** No worker of the current build polls. @param others the builds of the workers that do */
function unpolled(found: string, current: string, others: readonly string[]): Finding {
  if (others.length === 0)
    return wrong(found, 'Start a worker: lockerflow worker. LOCKERFLOW_TASK_QUEUE names its task queue.')
  return wrong(
    `${found}: new flows go to ${describeWorkers(current)}, and only ${others.map(describeWorkers).join(' and ')} poll`,
    current === ''
      ? 'Promote the build of these workers: lockerflow promote. Or start workers without LOCKERFLOW_DEPLOYMENT.'
      : 'Start workers of the current build, or promote the build of these workers: lockerflow promote.',
  )
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
      const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
        workerDeploymentInfo?.routingConfig ?? {}
      const current = currentDeploymentVersion?.buildId
      if (!current) return wrong(`${deploymentName} has no current build`, promote)
      // A ramp that was ended keeps its build in the record, with a share of 0.
      const ramp = rampingVersionPercentage
        ? `; build ${rampingDeploymentVersion?.buildId} gets ${rampingVersionPercentage} % of the flows`
        : ''
      return ok(`${deploymentName}, current build ${current}${ramp}`)
    } catch (error) {
      if (!isNotFound(error) || (await lacksNamespace(workflowService, namespace))) throw error
      return wrong(
        `${deploymentName} does not exist`,
        `Start a worker with LOCKERFLOW_DEPLOYMENT=${deploymentName}. ${promote}`,
      )
    }
  })
}

/** Asks Temporal. The finding is unknown if it cannot be reached, or does not have the namespace. */
export async function ask(
  { connection, target }: Installation,
  question: (connection: Connection) => Promise<Finding>,
): Promise<Finding> {
  if (connection === undefined) return unknown('Temporal cannot be reached')
  try {
    return await connection.withDeadline(Date.now() + answerTimeout, () => question(connection))
  } catch (error) {
    if (isNotFound(error) && (await lacksNamespace(connection.workflowService, target.namespace)))
      return unknown('the namespace does not exist')
    if (hasStatus(error, grpcStatuses.deadlineExceeded))
      return wrong(
        `Temporal does not answer within ${answerTimeout / 1_000} s`,
        'Check the load of Temporal and of its database, then run lockerflow doctor again.',
      )
    return wrong(
      reasonOf(error),
      'Compare TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the TLS settings with those of the server.',
    )
  }
}

/** The identities of the workers by their build, the current one among them. Workers without a build need no more words. */
function listPollers(pollers: readonly Poller[]): string {
  const builds = Object.entries(Object.groupBy(pollers, ({ build }) => build))
  return builds
    .map(([build, of = []]) => {
      const identities = [...new Set(of.map(({ identity }) => identity))].join(', ')
      return build === '' ? identities : `${identities} of build ${build}`
    })
    .join(' and ')
}

/** The empty name is that of workers without a build. */
function describeWorkers(build: string): string {
  return build === '' ? 'workers without a build' : `workers of build ${build}`
}

function isNotFound(error: unknown): boolean {
  return hasStatus(error, grpcStatuses.notFound)
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status
}

/** True if the namespace is missing. A missing deployment has this status too. */
function lacksNamespace(service: Connection['workflowService'], namespace: string): Promise<boolean> {
  return service.describeNamespace({ namespace }).then(() => false, isNotFound)
}
