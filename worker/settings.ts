import { existsSync } from 'node:fs'
import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common'
import type { NativeConnectionOptions, ResourceBasedTunerOptions, WorkflowBundleOption } from '@temporalio/worker'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { ActivitySettings, NotificationSettings } from '#activities'
import { readTemporalConnection, readTemporalTarget, type TemporalTarget } from '#client/connection'
import type { ApiSettings } from '#contract/client'
import { parseDuration } from '#contract/terms'
import { notificationTypes } from '#flows'
import { validateUrlSyntax } from '#platform/addresses'
import { codecVariables, readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import {
  decisionKeyVariable,
  drivenServiceVariables,
  entriesOf,
  environmentVariable,
  hostVariable,
  httpUrl,
  isProduction,
  loadTogether,
  logLevelVariable,
  passwordOf,
  plainHttpProblem,
  port,
  readDrivenService,
  readListeningHost,
  readTemporalProxy,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  signatureKeys,
  taskQueueVariable,
  type Values,
  type Variable,
  wholeNumber,
  withoutUndefined,
} from '#platform/settings'
import { loadOwnFiles, type OwnFiles } from './ownFiles.ts'
import type { OwnFlows } from './ownFlows.ts'

/** Waiting costs neither processor time nor, but for files, memory. */
export const defaultOutsideActivities = 100

/** How a worker takes tasks. Slots and rates are those of its task queue, not of the one for outside parties. */
export interface WorkerTuning {
  /** Polls that are open at once for each kind of task on each of the two task queues; as the SDK has it by default. */
  readonly pollers?: 'autoscaling' | number
  /** Takes tasks until the machine uses these shares of its memory and processors, from 0 to 1, in place of fixed slots. */
  readonly resourceTargets?: ResourceBasedTunerOptions
  /** Workflow tasks that run at once; as many as the SDK allows by default. */
  readonly maxConcurrentWorkflowTasks?: number
  /** Activities that run at once; as many as the SDK allows by default. */
  readonly maxConcurrentActivities?: number
  /** Activities that all workers of the task queue start in a second. The server applies it. */
  readonly maxActivitiesPerSecond?: number
}

/** The settings of a worker. `startWorker` reads those that are absent from the environment. */
export interface WorkerSettings extends Omit<ActivitySettings, 'callbacks' | 'flows'>, OwnFlows, WorkerTuning {
  /** Flows in place of the built-in ones, for tests. */
  readonly catalogue?: ActivitySettings['flows']
  /** The first interval of polls until the worker has seen a callback, in milliseconds. Without it, as later. */
  readonly earlyPoll?: number
  readonly temporal: NativeConnectionOptions
  readonly namespace: string
  readonly taskQueue: string
  /** Encrypts payloads; without it they are written as they are. */
  readonly dataConverter?: DataConverter
  /** The service that the flows drive. */
  readonly api: ApiSettings
  readonly environment: 'staging' | 'production'
  /** A prebuilt bundle. Without one, the worker builds its own at the start. */
  readonly bundle?: WorkflowBundleOption
  readonly maxCachedWorkflows?: number
  /** Activities that wait for outside parties at once, on a task queue of their own; a hundred by default. */
  readonly maxOutsideActivities?: number
  /** The worker's build. Without one, the worker is unversioned and polls tasks of no deployment. */
  readonly build?: WorkerDeploymentVersion
}

export interface WorkerProcessSettings extends WorkerSettings {
  /** The address of the ports below; undefined for all addresses. */
  readonly host?: string
  readonly healthPort?: number
  readonly log: Logger
}

export interface PreparationSettings extends Pick<WorkerSettings, 'temporal' | 'namespace'> {
  /** Milliseconds. */
  readonly retention: number
}

export interface PromotionSettings extends TemporalTarget, Pick<WorkerSettings, 'bundle' | 'build'> {}

/** Callbacks from before the first registration with the service are lost, and would be missed for an hour. Milliseconds. */
const earlyPoll = 60_000

/** From a notification until its links expire. Milliseconds. */
const linkLifetime = 3 * 86_400_000

/** With one of its two names, Temporal would take the worker for another build. */
const buildNeedsBoth = (given: string) => `is missing although ${given} is set. A build needs both`

/** Read by the worker and by the promotion of a build. */
const buildVariables = {
  LOCKERFLOW_DEPLOYMENT: {
    description: 'Name of the worker deployment that the build belongs to. Without it the worker is unversioned.',
    example: 'lockerflow',
    schema: z
      .string()
      .regex(/^(?!__temporal_)[^.:]{1,200}$/, 'must be a name without a period or a colon')
      .optional(),
    needs: { names: ['LOCKERFLOW_BUILD_ID'], wrong: buildNeedsBoth },
  },
  LOCKERFLOW_BUILD_ID: {
    description: 'Id of the build. Each change of the workflows needs a new one.',
    example: '2026-11-20',
    schema: z
      .string()
      .regex(/^\S{1,200}$/, 'must be a text without blanks')
      .optional(),
    needs: { names: ['LOCKERFLOW_DEPLOYMENT'], wrong: buildNeedsBoth },
  },
  LOCKERFLOW_WORKFLOW_BUNDLE: {
    description:
      'File with a prebuilt workflow bundle, which `npm run build` writes in a clone. Without it a worker of the package uses that of the package, and a worker in a clone builds its own.',
    example: '.lockerflow/workflows.js',
    schema: z
      .string()
      .refine(existsSync, { error: ({ input }) => `must be an existing file, but ${input} is not` })
      .optional(),
  },
} as const satisfies Record<string, Variable>

const setBoth = (given: string) => `is missing although ${given} is set. Set both`

/** The receiver of the flows' notifications. */
const notificationVariables = {
  LOCKERFLOW_NOTIFICATIONS_URL: {
    description: `Address to which flows send notifications: ${notificationTypes.map(type => `\`${type}\``).join(', ')}. Without it, flows send no notifications. Must be https and a public host; staging allows others.`,
    example: 'https://planning.example/notifications',
    schema: z.string().max(2_000, 'must be at most 2000 characters').optional(),
    secret: passwordOf,
    needs: { names: ['LOCKERFLOW_NOTIFICATIONS_KEY'], wrong: setBoth },
  },
  LOCKERFLOW_NOTIFICATIONS_KEY: {
    description:
      'Key that signs notifications, or two, as `new,old`, while the receiver changes to the new one: both sign. Required with their address.',
    example: 'choose-32-random-characters-here',
    schema: signatureKeys.optional(),
    secret: entriesOf,
    // A receiver cannot trust unsigned notifications.
    needs: { names: ['LOCKERFLOW_NOTIFICATIONS_URL'], wrong: setBoth },
  },
  // It needs no other setting, since a gateway with the same environment may need it.
  ...decisionKeyVariable,
  LOCKERFLOW_DECISION_LINKS_URL: {
    description:
      'Address at which people reach the flow API of the gateway, without the path of the links. With it, notifications of overdue flows have links. In production http is allowed for private hosts only.',
    example: 'https://decide.example',
    schema: httpUrl
      // The path of a link follows the address.
      .regex(/^[^?#]*(?<!\/decisions\/*)$/, 'must be an address without the path of the links, a query and a fragment')
      .optional(),
    production: { problem: plainHttpProblem },
    needs: {
      names: ['LOCKERFLOW_NOTIFICATIONS_URL', 'LOCKERFLOW_NOTIFICATIONS_KEY', 'LOCKERFLOW_DECISION_LINKS_KEY'],
      wrong: setBoth,
    },
  },
} as const satisfies Record<string, Variable>

const mustBePollers = 'must be autoscaling or a number from 2 to 1000'

const mustBeSlots =
  'must be resources, or from 2 to 10000 workflow tasks and from 1 to 10000 activities, such as 40,100'

/** Temporal needs two slots of workflow tasks, one of them for flows that the worker caches. */
const slots = z
  .string()
  .transform((text): unknown => text.split(','))
  .pipe(
    z.tuple(
      [
        wholeNumber({ from: 2, to: 10_000, wrong: mustBeSlots }),
        wholeNumber({ from: 1, to: 10_000, wrong: mustBeSlots }),
      ],
      mustBeSlots,
    ),
  )

/** The settings by which an operator tunes a worker. */
const tuningVariables = {
  LOCKERFLOW_WORKER_POLLERS: {
    description:
      'Polls that a worker has open at once, for each kind of task and each of its two task queues: autoscaling (Temporal says when more of them would find tasks), or a number. Default: at most 10.',
    example: 'autoscaling',
    schema: z
      .union([z.literal('autoscaling'), wholeNumber({ from: 2, to: 1_000, wrong: mustBePollers })], mustBePollers)
      .optional(),
  },
  LOCKERFLOW_WORKER_SLOTS: {
    description:
      'How many workflow tasks and activities of its task queue a worker runs at once: two numbers, or resources (until the machine uses 80 % of its memory or 90 % of its processors). Activities that wait for outside parties have fixed slots in both cases. Default: 40,100.',
    example: 'resources',
    schema: z.union([z.literal('resources'), slots], mustBeSlots).optional(),
  },
  LOCKERFLOW_MAX_OUTSIDE_ACTIVITIES: {
    description:
      'Number of activities of a worker that wait for outside parties at once: files, receivers of notifications, bookings of other flows, and run steps. They have a task queue of their own, whose name ends in `-outside`.',
    example: '200',
    schema: wholeNumber({ from: 1, to: 10_000 }).default(defaultOutsideActivities),
  },
  LOCKERFLOW_MAX_ACTIVITIES_PER_SECOND: {
    description:
      'Number of activities that all workers of the task queue start in a second, apart from those that wait for outside parties; give all of them the same number. Without it there is no limit.',
    example: '50',
    schema: wholeNumber({ from: 1, to: 100_000 }).optional(),
  },
} as const satisfies Record<string, Variable>

/** Read by the worker in addition to the variables of its build, its notifications and the service. */
const ownVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...hostVariable,
  ...taskQueueVariable,
  LOCKERFLOW_POLL_INTERVAL: {
    description:
      'Interval at which a waiting flow polls the service for its shipments: the first one, and the one up to which it doubles with each poll. A single duration stays the same.',
    example: '1h,1d',
    schema: pollInterval('1h,1d'),
  },
  LOCKERFLOW_FLOWS: {
    description:
      'Declarations of your own flows: a path, or a pattern, of TypeScript, YAML or JSON files. See [declare a flow](../how-to/declare-a-flow.md).',
    example: './flows/*.{ts,yaml}',
    schema: z.string().optional(),
  },
  LOCKERFLOW_ACTIVITIES: {
    description: 'Module whose exported functions are the activities of your own flows.',
    example: './activities.ts',
    schema: z.string().optional(),
  },
  LOCKERFLOW_CALENDARS: {
    description:
      'File of working hours and holidays, for flows with steps that end by working hours. See [calendars](../how-to/declare-a-flow.md#end-a-step-by-working-hours).',
    example: './calendars.yaml',
    schema: z.string().optional(),
  },
  LOCKERFLOW_MAX_CACHED_WORKFLOWS: {
    description:
      'Number of flows that a worker caches. Without it, Temporal derives the number from the available memory.',
    example: '2000',
    schema: wholeNumber({ from: 0, to: 9_999_999 }).optional(),
  },
  LOCKERFLOW_WORKER_PORT: {
    description: 'Port of /health/live and /health/ready; 0 means a free port. Without it the worker serves neither.',
    example: '8083',
    schema: port(0).optional(),
  },
} as const satisfies Record<string, Variable>

const { LOCKERFLOW_FLOWS, LOCKERFLOW_ACTIVITIES, LOCKERFLOW_CALENDARS } = ownVariables

/** Read by `lockerflow dev` too, whose worker has no other of these settings. */
const ownFlowVariables = { LOCKERFLOW_FLOWS, LOCKERFLOW_ACTIVITIES, LOCKERFLOW_CALENDARS } as const

/** Every variable of the worker. */
export const workerVariables = {
  ...ownVariables,
  ...codecVariables,
  ...drivenServiceVariables,
  ...buildVariables,
  ...notificationVariables,
  ...tuningVariables,
} as const satisfies Record<string, Variable>

/** Read by the preparation of Temporal, in addition to Temporal's own variables. */
export const preparationVariables = {
  LOCKERFLOW_RETENTION: {
    description:
      'How long Temporal keeps the history of an ended flow. Applies to a namespace that the preparation creates.',
    example: '30d',
    schema: duration('30d'),
  },
} as const satisfies Record<string, Variable>

/** Read by a promotion, in addition to Temporal's own variables. The command line may name the build instead. */
export const promotionVariables = {
  ...taskQueueVariable,
  ...codecVariables,
  ...buildVariables,
} as const

/** Settings from elsewhere, whose variables may be missing. */
type Given = Partial<WorkerSettings>

/**
 * Reads the settings of a worker process, with the flows, activities and calendars of the files that they name.
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem of the environment and of the files
 */
export async function loadSettings(given: Given = {}, source?: NodeJS.ProcessEnv): Promise<WorkerProcessSettings> {
  const loaded = await loadTogether({ read: () => readSettings(source, given), own: () => loadOwnFlows(source, given) })
  const { read } = loaded
  const { warnings, ...own } = loaded.own
  for (const warning of warnings) read.log.warn({ logId: 'flow-warning', reason: warning }, 'flow not fully checked')
  return { ...read, ...own, ...withoutUndefined(given) }
}

/** Loads the flows that the environment names, with their activities and calendars. @throws SettingsError */
export async function loadOwnFlows(source: NodeJS.ProcessEnv = process.env, given: Given = {}): Promise<OwnFiles> {
  return loadOwnFiles(readVariables(source, ownFlowVariables), given)
}

/**
 * Reads the settings of a worker process, without the files of a team's own flows.
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem
 */
export function readSettings(source: NodeJS.ProcessEnv = process.env, given: Given = {}): WorkerProcessSettings {
  const { api, profile, namespace } = given
  const { temporal, dataConverter, build, notifications, driven, values, tuning, host } = readTogether({
    host: () => readListeningHost(source, undefined),
    dataConverter: () => given.dataConverter ?? readDataConverter(source),
    temporal: () =>
      given.temporal && namespace !== undefined
        ? { temporal: given.temporal, namespace }
        : withProxy(source, readTemporalConnection(source)),
    build: () => toBuild(readVariables(source, buildVariables)),
    notifications: () => (given.notifications ? {} : readNotificationSettings(source)),
    driven: () => (api && profile ? { api, profile } : readDrivenService(source)),
    values: () => readVariables(source, ownVariables),
    tuning: () => readTuning(source),
  })
  const { LOCKERFLOW_MAX_CACHED_WORKFLOWS: maxCachedWorkflows, LOCKERFLOW_WORKER_PORT: healthPort } = values
  return {
    ...temporal,
    dataConverter,
    ...build,
    ...notifications,
    ...driven,
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    pollInterval: values.LOCKERFLOW_POLL_INTERVAL,
    earlyPoll,
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    ...tuning,
    ...(host !== undefined && { host }),
    ...(healthPort !== undefined && { healthPort }),
    log: createProcessLog('worker', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/** Adds the proxy of the environment to a connection of Temporal's worker, which reads none itself. @throws SettingsError */
function withProxy<Target extends { readonly temporal: { readonly address: string } }>(source: Source, target: Target) {
  const proxy = readTemporalProxy(source, target.temporal.address)
  return { ...target, temporal: { ...target.temporal, ...(proxy && { proxy }) } }
}

function toBuild(values: Values<typeof buildVariables>): Pick<WorkerSettings, 'build' | 'bundle'> {
  const { LOCKERFLOW_DEPLOYMENT: deploymentName, LOCKERFLOW_BUILD_ID: buildId } = values
  const { LOCKERFLOW_WORKFLOW_BUNDLE: codePath } = values
  return {
    ...(deploymentName !== undefined && buildId !== undefined && { build: { deploymentName, buildId } }),
    ...(codePath !== undefined && { bundle: { codePath } }),
  }
}

/** @throws SettingsError with every problem */
function readTuning(source: Source): WorkerTuning & Pick<WorkerSettings, 'maxOutsideActivities'> {
  const values = readVariables(source, tuningVariables)
  const { LOCKERFLOW_WORKER_SLOTS: given } = values
  const [maxConcurrentWorkflowTasks, maxConcurrentActivities] = given === 'resources' ? [] : (given ?? [])
  return {
    ...(given === 'resources' && { resourceTargets }),
    ...withoutUndefined({
      pollers: values.LOCKERFLOW_WORKER_POLLERS,
      maxConcurrentWorkflowTasks,
      maxConcurrentActivities,
      maxOutsideActivities: values.LOCKERFLOW_MAX_OUTSIDE_ACTIVITIES,
      maxActivitiesPerSecond: values.LOCKERFLOW_MAX_ACTIVITIES_PER_SECOND,
    }),
  }
}

/** Up to these shares of the machine's memory and processors, a worker with the slots `resources` takes tasks. */
const resourceTargets = { targetMemoryUsage: 0.8, targetCpuUsage: 0.9 }

/**
 * Reads the receiver of notifications; nothing without one.
 * @throws SettingsError with every problem
 */
export function readNotificationSettings(source: Source): Pick<WorkerSettings, 'notifications'> {
  const { values } = readTogether({
    values: () => readVariables(source, notificationVariables),
    address: () => checkReceiver(source),
  })
  const { LOCKERFLOW_NOTIFICATIONS_URL: url, LOCKERFLOW_NOTIFICATIONS_KEY: keys } = values
  if (url === undefined || keys === undefined) return {}
  const [key, previousKey] = keys
  const links = toLinks(values)
  return { notifications: { url, key, ...(previousKey !== undefined && { previousKey }), ...(links && { links }) } }
}

/** Checks the syntax only: an unresolvable receiver must not stop the flows. */
function checkReceiver(source: Source): void {
  const name = 'LOCKERFLOW_NOTIFICATIONS_URL'
  const { [name]: variable } = notificationVariables
  const { [name]: url } = readVariables(source, { [name]: variable })
  const fault = url === undefined ? undefined : validateUrlSyntax(url, !isProduction(source))
  if (fault !== undefined)
    throw new SettingsError({ name, wrong: fault.replace(/^url /, ''), example: variable.example })
}

function toLinks(values: Values<typeof notificationVariables>): NotificationSettings['links'] {
  const { LOCKERFLOW_DECISION_LINKS_URL: url, LOCKERFLOW_DECISION_LINKS_KEY: keys } = values
  if (url === undefined || keys === undefined) return undefined
  return { url, key: keys[0], lifetime: linkLifetime, extendBy: '24h' }
}

/**
 * Reads the settings of the preparation.
 * @throws SettingsError
 */
export function readPreparation(source: NodeJS.ProcessEnv = process.env): PreparationSettings {
  const { temporal, values } = readTogether({
    temporal: () => withProxy(source, readTemporalConnection(source)),
    values: () => readVariables(source, preparationVariables),
  })
  return { ...temporal, retention: values.LOCKERFLOW_RETENTION }
}

/**
 * Reads the settings of a promotion.
 * @param version the build as the command line names it, which takes precedence over the environment
 * @throws SettingsError
 */
export function readPromotion(
  version: Partial<WorkerDeploymentVersion> = {},
  source: NodeJS.ProcessEnv = process.env,
): PromotionSettings {
  const { deploymentName = source.LOCKERFLOW_DEPLOYMENT, buildId = source.LOCKERFLOW_BUILD_ID } = version
  const merged = { ...source, LOCKERFLOW_DEPLOYMENT: deploymentName, LOCKERFLOW_BUILD_ID: buildId }
  const { target, build } = readTogether({
    target: () => withProxy(source, readTemporalTarget(source)),
    build: () => toBuild(readVariables(merged, buildVariables)),
  })
  return { ...target, ...build }
}

/** Rejects settings that only tests may have. */
export function rejectTestSettings({ environment, clock, clockAhead, windowFactor }: WorkerSettings): void {
  for (const [name, given] of Object.entries({ clock, clockAhead }))
    if (environment === 'production' && given !== undefined)
      throw new Error(`${name}: must be absent in production, where flows run by the clock of Temporal.`)
  if (environment === 'production' && windowFactor !== undefined)
    throw new Error('windowFactor: must be absent in production, where windows have their declared lengths.')
  if (windowFactor !== undefined && !(windowFactor > 0 && windowFactor <= 1))
    throw new Error(`windowFactor: must be above 0 and at most 1, got ${windowFactor}.`)
}

/** @param text two durations, or one that stands for both */
function pollInterval(text: string) {
  return z
    .string()
    .default(text)
    .transform((value, context) => {
      const lengths = value.split(',').map(parseDuration)
      const [initial, maximum] = lengths.length === 1 ? [...lengths, ...lengths] : lengths
      const isOrdered = initial !== undefined && maximum !== undefined && initial <= maximum
      if (isOrdered && lengths.length <= 2) return { initial, maximum }
      context.addIssue('must be a duration such as 30m, or two, the shorter one first, such as 1h,1d')
      return z.NEVER
    })
}

function duration(text: string) {
  return z
    .string()
    .default(text)
    .transform((value, context) => {
      const length = parseDuration(value)
      if (length === undefined) context.addIssue('must be a duration such as 30s, 30m, 48h or 3d')
      return length ?? z.NEVER
    })
}
