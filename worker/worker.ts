import { noopMetricMeter, type WorkerDeploymentVersion } from '@temporalio/common'
import {
  GracefulShutdownPeriodExpiredError,
  IllegalStateError,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker'
import { type Api, createApi } from '#contract/client'
import { encrypts } from '#platform/codec'
import { traceApiCall } from '#platform/telemetry'
import { workerTracing } from '#platform/telemetry/temporal'
import { repairFailures } from './activityFailures.ts'
import { ensureSearchAttributes, findMissingAttributes } from './attributes.ts'
import { bundleFlows, markBundle, toVersioningTable } from './bundle.ts'
import { connect } from './connection.ts'
import { findRouting, requireVersioning } from './deployment.ts'
import { withCheckedResults } from './ownFlows.ts'
import { loadSettings, rejectTestSettings, type WorkerSettings } from './settings.ts'
import { isRunning, runTogether, stopWorker, toInsideOptions, toOutsideOptions, toPollers } from './taskQueues.ts'
import { createWork } from './work.ts'

/** Polls for Nexus operations that are open at once. Each waits at the server, and bookings by Nexus are few. */
const nexusPolls = 2

/** A worker in this process. */
export interface RunningWorker {
  /** Resolves when the worker has stopped, and rejects when it did not stop cleanly. */
  readonly ended: Promise<void>
  /** Returns the reason why the worker cannot process tasks now; undefined when it can. */
  notReadyReason(): Promise<string | undefined>
  /** Finishes running tasks and stops, within ten seconds. */
  stop(): Promise<void>
}

/** Limit of the readiness check, in milliseconds, so that the response takes less than two seconds. */
const readinessTimeout = 1_800

/** Limit of the checks at the start, in milliseconds. New search attributes need up to thirty seconds. */
const checkTimeout = 40_000

/** Limit of a stop, in milliseconds. Temporal's SDK waits half a minute for a server that hangs. */
const stopTimeout = 9_500

/** Seconds that running tasks get after the beginning of a stop. */
const graceTime = 8

const abandoned = `Activities did not end within ${graceTime} s of the stop. Temporal retries each one after its heartbeat, or else its timeout.`

/** Milliseconds that a create without a response gets after all attempts have ended. Another attempt sent its key. */
const closeTimeout = 500

/**
 * Starts a worker in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow worker` do. It polls when the promise resolves.
 *
 * ```ts
 * const worker = await startWorker({ flows: [repairShop], activities: { printLabel } })
 * process.once('SIGTERM', () => worker.stop())
 * await worker.ended
 * ```
 * @throws SettingsError with every problem of the environment and of the files that it names
 * @throws Error when Temporal cannot be reached, a search attribute is missing, the server does not support versioning, or
 * a flow or activity of the team is invalid
 */
export async function startWorkerFromEnvironment(settings: Partial<WorkerSettings> = {}): Promise<RunningWorker> {
  return startWorker(await loadSettings(settings))
}

/**
 * Starts a worker that runs flows and their activities. It polls when the promise resolves.
 * @throws when Temporal cannot be reached, a search attribute is missing, the server does not support versioning, or a
 * flow or activity of the team is invalid
 */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { namespace, taskQueue, dataConverter, environment, build } = settings
  const { maxCachedWorkflows, maxOutsideActivities } = settings
  rejectTestSettings(settings)
  const connection = await connect(settings.temporal)
  const api = createApi({ ...settings.api, closeTimeout, trace: traceApiCall })
  try {
    await connection.withDeadline(Date.now() + checkTimeout, async () => {
      await ensureSearchAttributes(connection, namespace, { register: environment === 'staging' })
      if (build !== undefined) await requireVersioning(connection)
    })
    const { declared, activities, nexusService, sinks } = createWork(settings, api)
    const bundle = settings.bundle ?? (await bundleFlows())
    const traced = workerTracing()
    const marks = {
      versioning: build && toVersioningTable(declared),
      encrypts: encrypts(dataConverter),
      traced: traced !== undefined,
      measured: Runtime.instance().metricMeter !== noopMetricMeter,
    }
    const options: WorkerOptions = {
      connection,
      namespace,
      taskQueue,
      workflowBundle: await markBundle(bundle, marks),
      ...(dataConverter && { dataConverter }),
      activities: { ...activities, ...withCheckedResults(settings.activities) },
      nexusServices: [nexusService],
      maxConcurrentNexusTaskPolls: nexusPolls,
      sinks: { ...sinks, ...traced?.sinks },
      interceptors: { activity: [repairFailures, ...(traced === undefined ? [] : [traced.activity])] },
      shutdownGraceTime: `${graceTime}s`,
      // A create may outlast the stop. Its idempotency key makes the next attempt safe.
      shutdownForceTime: '9s',
      ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
      ...toPollers(settings),
      // Each workflow declares its own behaviour. The default applies when the SDK completes an empty task (a query
      // overtook it). A flow that stays pinned for one task too many is safe; one that moves unchecked is not.
      ...(build !== undefined && {
        workerDeploymentOptions: { useWorkerVersioning: true, version: build, defaultVersioningBehavior: 'PINNED' },
      }),
    }
    const workers = [
      await Worker.create(toInsideOptions(options, settings)),
      await Worker.create(toOutsideOptions(options, maxOutsideActivities)),
    ]
    const running = runAndClose(workers, api, connection)
    // `ended` and `stop` report the failure. Without this handler it would count as an unhandled rejection.
    running.catch(() => undefined)
    return {
      ended: running,
      notReadyReason: async () =>
        workers.every(isRunning) ? findNotReadyReason(connection, namespace, build) : 'the worker is stopping',
      async stop() {
        workers.forEach(stopWorker)
        await within(stopTimeout, running, () => {
          throw new Error(`The worker did not stop within ${stopTimeout} ms.`)
        })
      },
    }
  } catch (error) {
    await Promise.all([api.close(), connection.close()])
    throw error
  }
}

/** Returns a reason when Temporal does not answer or routes the deployment's tasks to no build. */
async function findNotReadyReason(
  connection: NativeConnection,
  namespace: string,
  build: WorkerDeploymentVersion | undefined,
) {
  async function check(): Promise<string | undefined> {
    const missing = await findMissingAttributes(connection, namespace)
    if (missing !== undefined || build === undefined) return missing
    const routing = await findRouting(connection, namespace, build.deploymentName)
    return routing?.current === undefined ? noCurrentBuild(build) : undefined
  }
  const noAnswer = () => 'Temporal does not answer'
  // The SDK retries a call whose connection is refused beyond its deadline.
  const checked = connection.withDeadline(Date.now() + readinessTimeout, check).catch(noAnswer)
  return within(readinessTimeout, checked, noAnswer)
}

/** Waits at most `timeout` milliseconds for the promise, then returns the other result. */
async function within<Result>(timeout: number, promise: Promise<Result>, instead: () => Result): Promise<Result> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeout)
  return Promise.race([promise, timedOut.then(instead)]).finally(() => clearTimeout(timer))
}

function noCurrentBuild({ deploymentName, buildId }: WorkerDeploymentVersion): string {
  return `the deployment ${deploymentName} has no current build, so only flows pinned to this build make progress; to make it current: lockerflow promote --deployment ${deploymentName} --build-id ${buildId}`
}

async function runAndClose(workers: readonly Worker[], api: Api, connection: NativeConnection): Promise<void> {
  try {
    await runTogether(workers)
    await api.close()
  } catch (error) {
    // Not awaited: a request that was cut off may stay open for minutes.
    api.close().catch(() => undefined)
    await connection.close().catch(() => undefined)
    throw isAbandoned(error) ? new Error(abandoned, { cause: error }) : error
  }
  await connection.close()
}

/** The SDK cannot finalise a worker whose activities still run, and throws that error instead of its own first one. */
function isAbandoned(error: unknown): boolean {
  return error instanceof GracefulShutdownPeriodExpiredError || error instanceof IllegalStateError
}
