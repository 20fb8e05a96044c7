import {
  type NativeConnection,
  type NativeConnectionOptions,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import { type ActivitySettings, createActivities } from '#activities'
import { type Api, type ApiSettings, createApi } from '#api'
import { ensureAttributes } from './attributes.ts'
import { bundleFlows, markVersioned } from './bundle.ts'
import { connect } from './connection.ts'
import { type Build, requireVersioning, routingOf } from './deployment.ts'

export interface WorkerSettings extends ActivitySettings {
  readonly temporal: NativeConnectionOptions
  readonly namespace: string
  readonly taskQueue: string
  /** The service that the flows drive. */
  readonly api: ApiSettings
  readonly environment: 'staging' | 'production'
  /** Built before the start; built at the start when left out. */
  readonly bundle?: WorkflowBundleOption
  readonly maxCachedWorkflows?: number
  /** Worker Versioning; without one the worker takes the tasks that no build is current for. */
  readonly build?: Build
}

export interface RunningWorker {
  /** Ends when the worker has stopped, with the error when it did not stop cleanly. */
  readonly ended: Promise<void>
  /** Why it cannot take work now; undefined when it can. */
  hindrance(): Promise<string | undefined>
  /** Finishes what is under way, within ten seconds. */
  stop(): Promise<void>
}

/** How long Temporal may take to say that it is there, in milliseconds. */
const patience = 2_000

/** Starts a worker that runs flows and their activities; it is ready when this resolves. */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { namespace, taskQueue, environment, maxCachedWorkflows, build } = settings
  const connection = await connect(settings.temporal)
  const api = createApi(settings.api)
  try {
    await ensureAttributes(connection, namespace, { register: environment === 'staging' })
    if (build !== undefined) await requireVersioning(connection)
    const bundle = settings.bundle ?? (await bundleFlows())
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: build === undefined ? bundle : await markVersioned(bundle),
      activities: createActivities(api, {
        ...settings,
        privateAddresses: environment === 'staging' && settings.privateAddresses !== false,
      }),
      shutdownGraceTime: '8s',
      // A create is never aborted, and can be waited for longer than a stop may take: its key mends what is cut off.
      shutdownForceTime: '9s',
      ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
      // Each workflow says for itself. But an empty task is answered without asking it, with this: when a query overtook
      // the task. Staying for one task too many does no harm; moving unchecked would.
      ...(build !== undefined && {
        workerDeploymentOptions: { useWorkerVersioning: true, version: build, defaultVersioningBehavior: 'PINNED' },
      }),
    })
    const running = runAndClose(worker, api, connection)
    // Whoever stops the worker hears of its failure there; nobody is listening yet.
    running.catch(() => undefined)
    return {
      ended: running,
      hindrance: async () =>
        worker.getState() === 'RUNNING' ? hindranceAt(connection, namespace, build) : 'it has been told to stop',
      async stop() {
        if (worker.getState() === 'RUNNING') worker.shutdown()
        await running
      },
    }
  } catch (error) {
    await Promise.all([api.close(), connection.close()])
    throw error
  }
}

/** What hinders a worker that runs: Temporal is away, or sends the tasks of its deployment to no build at all. */
async function hindranceAt(connection: NativeConnection, namespace: string, build: Build | undefined) {
  async function ask(): Promise<string | undefined> {
    if (build === undefined) {
      await connection.workflowService.getSystemInfo({})
      return undefined
    }
    const routing = await routingOf(connection, namespace, build.deploymentName)
    return routing?.current === undefined ? unrouted(build) : undefined
  }
  return connection.withDeadline(Date.now() + patience, ask).catch(() => 'Temporal does not answer')
}

function unrouted({ deploymentName, buildId }: Build): string {
  return `the deployment ${deploymentName} has no current build, so only flows pinned to this one get on: npm run promote -- --deployment ${deploymentName} --build-id ${buildId}`
}

async function runAndClose(worker: Worker, api: Api, connection: NativeConnection): Promise<void> {
  try {
    await worker.run()
    await api.close()
  } catch (error) {
    // What had to be cut off may wait for an answer for minutes; nobody waits for it any more.
    api.close().catch(() => undefined)
    throw error
  } finally {
    await connection.close()
  }
}
