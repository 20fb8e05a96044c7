import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SimplePlugin } from '@temporalio/plugin'
import {
  type BundleOptions,
  type ReplayWorkerOptions,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import { type Api, createApi } from '#contract/client'
import { traceApiCall } from '#platform/telemetry'
import { repairFailures } from './activityFailures.ts'
import { ensureSearchAttributes } from './attributes.ts'
import { entry, readPrebuilt, toVersioningTable, writeMarks } from './bundle.ts'
import { withCheckedResults } from './ownFlows.ts'
import { loadSettings, rejectTestSettings, type WorkerSettings, type WorkerTuning } from './settings.ts'
import { toReplaySinks } from './sinks.ts'
import { runTogether, toOutsideOptions } from './taskQueues.ts'
import { createWork, type Work } from './work.ts'

/** Settings that the worker has by itself. */
type WorkersOwn =
  | 'temporal'
  | 'namespace'
  | 'taskQueue'
  | 'dataConverter'
  | 'bundle'
  | 'maxCachedWorkflows'
  | 'build'
  | keyof WorkerTuning

/** The settings that differ from the environment. */
export interface FlowsPluginSettings extends Partial<Omit<WorkerSettings, WorkersOwn>> {}

type Workflows = Pick<WorkerOptions, 'workflowsPath' | 'workflowBundle' | 'dataConverter' | 'interceptors'>

const pluginEntry = fileURLToPath(new URL('../workflows/pluginEntry.ts', import.meta.url))

/** The module that pluginEntry.ts imports. */
const ownWorkflows = '__lockerflow_own_workflows'

/** A text of pluginEntry.ts, which a bundle that was built with the plugin contains. */
const mark = 'beside the flows of lockerflow'

/**
 * Creates a plugin that adds the flows and their activities to one worker of Temporal's SDK, alongside the workflows
 * and activities that it has. Settings that are absent come from the environment. The worker keeps its connection, task queue,
 * data converter, interceptors and build.
 *
 * ```ts
 * const plugin = await createFlowsPlugin()
 * const workflowsPath = fileURLToPath(import.meta.resolve('./workflows.ts'))
 * const worker = await Worker.create({ connection, taskQueue: 'shop', workflowsPath, plugins: [plugin] })
 * await worker.run()
 * ```
 * @throws SettingsError with every problem of the environment
 * @throws Error when a flow or activity of the team is invalid
 */
export async function createFlowsPlugin(settings: FlowsPluginSettings = {}): Promise<SimplePlugin> {
  const read = await loadSettings({ ...settings, temporal: {}, namespace: '', dataConverter: {} })
  return new FlowsPlugin(read)
}

class FlowsPlugin extends SimplePlugin {
  readonly #settings: WorkerSettings
  readonly #api: Api
  readonly #work: Work
  /** The options of the second worker. */
  #outside: WorkerOptions | undefined

  constructor(settings: WorkerSettings) {
    super({ name: 'lockerflow' })
    rejectTestSettings(settings)
    this.#settings = settings
    this.#api = createApi({ ...settings.api, trace: traceApiCall })
    this.#work = createWork(settings, this.#api)
  }

  override configureWorker(options: WorkerOptions): WorkerOptions {
    // Temporal passes the plugins of a connection to the second worker too.
    if (this.#isOutside(options)) return options
    if (this.#outside !== undefined)
      throw new Error('plugins: must have a plugin of lockerflow for each worker. Call createFlowsPlugin again.')
    const { activities, nexusService, sinks } = this.#work
    const ofPlugin = withCheckedResults(this.#settings.activities)
    const own = { ...ofPlugin, ...options.activities }
    const twice = Object.keys(ofPlugin).filter(name => name in (options.activities ?? {}))
    if (twice.length > 0)
      throw new Error(
        `activities: must not be given both to the plugin and to the worker: ${twice.join(', ')}. Rename one of each.`,
      )
    const taken = Object.keys(own).filter(name => name in activities)
    if (taken.length > 0)
      throw new Error(`activities: must not have the names of those of lockerflow: ${taken.join(', ')}. Rename them.`)
    const configured = super.configureWorker({
      ...this.#withFlows(options, options.workerDeploymentOptions?.useWorkerVersioning === true),
      activities: { ...own, ...activities },
      interceptors: {
        ...options.interceptors,
        activity: [repairFailures, ...(options.interceptors?.activity ?? [])],
      },
      nexusServices: [...(options.nexusServices ?? []), nexusService],
      sinks: { ...sinks, ...options.sinks },
    })
    this.#outside = toOutsideOptions(configured, this.#settings.maxOutsideActivities)
    return configured
  }

  override configureReplayWorker(options: ReplayWorkerOptions): ReplayWorkerOptions {
    return super.configureReplayWorker({
      ...this.#withFlows(options, false),
      sinks: { ...toReplaySinks(), ...options.sinks },
    })
  }

  override configureBundler(options: BundleOptions): BundleOptions {
    const { workflowsPath, preloadModules = [], webpackConfigHook = config => config } = options
    // Loaded once per worker instead of once per flow, as in the bundle of lockerflow's own worker.
    const preloaded = { ...super.configureBundler(options), preloadModules: [...preloadModules, entry] }
    if (workflowsPath === entry) return preloaded
    return {
      ...preloaded,
      workflowsPath: pluginEntry,
      webpackConfigHook(config) {
        const { resolve, ...rest } = webpackConfigHook(config)
        return { ...rest, resolve: { ...resolve, alias: { ...resolve?.alias, [`${ownWorkflows}$`]: workflowsPath } } }
      },
    }
  }

  /** @throws Error when a search attribute is missing, or in staging when it cannot be registered */
  override async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    if (this.#outside === undefined || this.#isOutside(worker.options)) return next(worker)
    const { connection, namespace = 'default' } = this.#outside
    const register = this.#settings.environment === 'staging'
    try {
      if (connection) await ensureSearchAttributes(connection, namespace, { register })
      const outside = await Worker.create(this.#outside)
      await runTogether([worker, outside], [next(worker), outside.run()])
    } finally {
      await this.#api.close()
    }
  }

  #isOutside({ taskQueue }: Pick<WorkerOptions, 'taskQueue'>): boolean {
    return taskQueue === this.#outside?.taskQueue
  }

  #withFlows<Options extends Workflows>(options: Options, versioned: boolean): Options {
    const { workflowBundle, workflowsPath } = options
    const versioning = versioned ? toVersioningTable(this.#work.declared) : undefined
    if (workflowBundle !== undefined) {
      const code = readBundle(workflowBundle)
      if (!code.includes(mark))
        throw new Error(
          'workflowBundle: must be built with the plugin of lockerflow. Pass it to bundleWorkflowCode as one of plugins.',
        )
      return { ...options, workflowBundle: { code: writeMarks({ versioning, encrypts: false, traced: false }) + code } }
    }
    if (versioned && workflowsPath !== undefined)
      throw new Error(
        'workflowsPath: must be replaced by workflowBundle for a worker with a build. Build it by bundleWorkflowCode with the plugin.',
      )
    if (workflowsPath !== undefined) return options
    // A bundle contains the interceptors of its workflows and their converter of failures.
    const { dataConverter, interceptors } = options
    const isPlain = !dataConverter?.failureConverterPath && !interceptors?.workflowModules?.length
    if (!isPlain && versioned)
      throw new Error(
        'workflowBundle: must be given for a worker with a build that has interceptors of workflows or a failure converter. Build it by bundleWorkflowCode with the plugin.',
      )
    const prebuilt = isPlain ? readPrebuilt() : undefined
    if (prebuilt === undefined) return { ...options, workflowsPath: entry }
    const marks = writeMarks({ versioning, encrypts: false, traced: false })
    return { ...options, workflowBundle: { code: marks + prebuilt } }
  }
}

function readBundle(bundle: WorkflowBundleOption): string {
  return 'codePath' in bundle ? readFileSync(bundle.codePath, 'utf8') : bundle.code
}
