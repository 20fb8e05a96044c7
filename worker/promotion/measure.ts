import type { WorkerDeploymentVersion } from '@temporalio/common'
import { toOutsideQueue } from '#contract/terms'
import { type BuildFigures, countFlows, isShareWorse, isWorse } from './figures.ts'
import { type ConnectedTarget, toCaseNo } from './openFlows.ts'
import { reportedOn } from './reportedProblems.ts'
import { findRetried, type RetriedFlows } from './retriedActivities.ts'

/** The builds that a ramp compares. */
export interface Compared {
  readonly build: WorkerDeploymentVersion
  readonly current: WorkerDeploymentVersion
  /** The start of the ramp. */
  readonly since: Date
  /** Flows of the current build that started before this moment do not count. */
  readonly before: Date
  /** The runs whose workflow tasks failed before the ramp. */
  readonly failedBefore: ReadonlySet<string>
}

export interface Measurement {
  /** ISO 8601. */
  readonly at: string
  readonly build: BuildFigures
  readonly current: BuildFigures
  /** Cases whose workflow tasks fail on the build since the start of the ramp. */
  readonly failing: readonly string[]
  /** Flows since the start of the ramp whose activities fail: an outage makes them fail on both builds. */
  readonly retried: { readonly build: RetriedFlows; readonly current: RetriedFlows }
  /** Age of the oldest task that waits for a worker of the build, in milliseconds. */
  readonly waiting: number
}

/** A worker that takes no task for this long counts as gone. Milliseconds. */
const longestWait = 20_000

/** Measures both builds. Visibility lags by about a second. */
export async function measure(target: ConnectedTarget, compared: Compared): Promise<Measurement> {
  const { build, current, since, before, failedBefore } = compared
  return {
    at: new Date().toISOString(),
    build: await countFlows(target, build, since),
    current: await countFlows(target, current, before),
    failing: (await reportedOn(target, build, failedBefore)).map(toCaseNo),
    retried: { build: await findRetried(target, build, since), current: await findRetried(target, current, since) },
    waiting: await readWait(target, build),
  }
}

async function readWait({ connection, namespace, taskQueue }: ConnectedTarget, build: WorkerDeploymentVersion) {
  const { versionTaskQueues } = await connection.workflowService.describeWorkerDeploymentVersion({
    namespace,
    deploymentVersion: build,
    reportTaskQueueStats: true,
  })
  const ages = versionTaskQueues
    .filter(({ name }) => name === taskQueue || name === toOutsideQueue(taskQueue))
    .map(({ stats }) => Number(stats?.approximateBacklogAge?.seconds ?? 0) * 1_000)
  return Math.max(0, ...ages)
}

/** Returns why a build is worse than the current one; undefined if it is not. */
export function findFault(measurement: Measurement): string | undefined {
  const { build, current, failing, retried, waiting } = measurement
  if (failing.length > 0) return `workflow tasks fail: ${failing.slice(0, 10).join(', ')}`
  if (waiting >= longestWait) return `no worker has taken a task for ${Math.round(waiting / 1_000)} s`
  for (const kind of ['refused', 'overdue'] as const) {
    if (isWorse(kind, measurement)) {
      return `${build[kind]} of ${build.started} flows are ${kind}, ${current[kind]} of ${current.started} on the current build`
    }
  }
  const [ofBuild, ofCurrent] = [retried.build, retried.current]
  if (isShareWorse([ofBuild.retrying, ofBuild.open], [ofCurrent.retrying, ofCurrent.open])) {
    const count = `${ofBuild.retrying} of ${ofBuild.open} open flows`
    return `${ofBuild.activities.join(', ')}: ${count} repeat a failing activity, ${ofCurrent.retrying} of ${ofCurrent.open} on the current build`
  }
  return undefined
}
