import {
  DefaultLogger,
  NativeConnection,
  type NativeConnectionOptions,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import { type ActivitySettings, createActivities } from '#activities'
import { type Api, type ApiSettings, createApi } from '#api'
import { ensureAttributes } from './attributes.ts'
import { bundleFlows } from './bundle.ts'

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
}

export interface RunningWorker {
  /** Ends when the worker has stopped, with the error when it did not stop cleanly. */
  readonly ended: Promise<void>
  /** Whether it takes work and Temporal answers. */
  ready(): Promise<boolean>
  /** Finishes what is under way, within ten seconds. */
  stop(): Promise<void>
}

/** How long Temporal may take to say that it is there, in milliseconds. */
const patience = 2_000

/** Starts a worker that runs flows and their activities; it is ready when this resolves. */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { namespace, taskQueue, environment, maxCachedWorkflows } = settings
  const connection = await NativeConnection.connect(settings.temporal)
  const api = createApi(settings.api)
  try {
    await ensureAttributes(connection, namespace, { register: environment === 'staging' })
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: settings.bundle ?? (await bundleFlows()),
      activities: createActivities(api, {
        ...settings,
        privateFiles: environment === 'staging' && settings.privateFiles !== false,
      }),
      shutdownGraceTime: '8s',
      // A create is never aborted, and can be waited for longer than a stop may take: its key mends what is cut off.
      shutdownForceTime: '9s',
      ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    })
    const running = runAndClose(worker, api, connection)
    // Whoever stops the worker hears of its failure there; nobody is listening yet.
    running.catch(() => undefined)
    return {
      ended: running,
      ready: async () => worker.getState() === 'RUNNING' && (await answers(connection)),
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

async function answers(connection: NativeConnection): Promise<boolean> {
  const ask = () => connection.workflowService.getSystemInfo({})
  return connection.withDeadline(Date.now() + patience, ask).then(
    () => true,
    () => false,
  )
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

/** Makes Temporal's own log lines as quiet as the rest; once per process, before anything connects. */
export function quietRuntime(level: 'WARN' | 'ERROR' = 'WARN'): void {
  Runtime.install({
    logger: new DefaultLogger(level),
    telemetryOptions: { logging: { filter: { core: level, other: level }, forward: {} } },
  })
}
