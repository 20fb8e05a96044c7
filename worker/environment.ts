import { loadClientConnectConfig } from '@temporalio/envconfig'
import { z } from 'zod'
import {
  drivenServiceOf,
  drivenServiceVariables,
  environmentVariable,
  present,
  readVariables,
  taskQueueVariable,
  type Variable,
} from '#contract/settings'
import { milliseconds } from '#contract/terms'
import { codeIn, codeVariables } from './code.ts'
import type { Build } from './deployment.ts'
import { noticesIn, noticeVariables } from './notices.ts'
import type { WorkerSettings } from './worker.ts'

const duration = (text: string) =>
  z
    .string()
    .default(text)
    .transform((given, context) => {
      const length = milliseconds(given)
      if (length === undefined) context.addIssue('has to be a duration such as 30s, 30m, 48h or 3d')
      return length ?? z.NEVER
    })

function portFrom(lowest: number) {
  const wrong = `has to be a port from ${lowest} to 65535`
  return z
    .string()
    .regex(/^\d{1,5}$/, wrong)
    .transform(Number)
    .refine(given => given >= lowest && given <= 65_535, wrong)
    .optional()
}

export const workerVariables = {
  ...environmentVariable,
  ...drivenServiceVariables,
  ...taskQueueVariable,
  ...codeVariables,
  ...noticeVariables,
  LOCKERFLOW_LOOK_FIRST: {
    meaning: 'When a waiting flow first asks the service for its shipments; the interval doubles from there.',
    example: '1h',
    schema: duration('1h'),
  },
  LOCKERFLOW_LOOK_LONGEST: {
    meaning: 'The longest interval between two such looks.',
    example: '1d',
    schema: duration('1d'),
  },
  LOCKERFLOW_MAX_CACHED_WORKFLOWS: {
    meaning: 'How many flows a worker keeps in memory; Temporal sizes it by the memory when it is not set.',
    example: '2000',
    schema: z
      .string()
      .regex(/^\d{1,7}$/, 'has to be a number')
      .transform(Number)
      .optional(),
  },
  LOCKERFLOW_WORKER_PORT: {
    meaning: 'Port of /health/live and /health/ready; left out, there is none, and 0 takes a free one.',
    example: '8083',
    schema: portFrom(0),
  },
  LOCKERFLOW_METRICS_PORT: {
    meaning: "Port of /metrics, where Temporal's SDK answers Prometheus; left out, there is none.",
    example: '9464',
    schema: portFrom(1),
  },
} as const satisfies Record<string, Variable>

/** What the preparation of Temporal reads, besides Temporal's own variables. */
export const preparationVariables = {
  LOCKERFLOW_RETENTION: {
    meaning: 'How long Temporal keeps the history of an ended flow, in a namespace that is made.',
    example: '30d',
    schema: duration('30d'),
  },
} as const satisfies Record<string, Variable>

export interface WorkerProcessSettings extends WorkerSettings {
  readonly healthPort?: number
  readonly metricsPort?: number
}

export interface PreparationSettings extends Pick<WorkerSettings, 'temporal' | 'namespace'> {
  /** Milliseconds. */
  readonly retention: number
}

/** What a promotion reads, besides Temporal's own variables; the build may be said on the command line too. */
export const promotionVariables = { ...taskQueueVariable, ...codeVariables } as const

export interface PromotionSettings
  extends Pick<WorkerSettings, 'temporal' | 'namespace' | 'taskQueue' | 'bundle' | 'build'> {}

/** The settings of a worker process; Temporal's own variables are read by its envconfig. Throws a SettingsFault. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): WorkerProcessSettings {
  const values = readVariables(source, workerVariables)
  const { LOCKERFLOW_MAX_CACHED_WORKFLOWS: maxCachedWorkflows, LOCKERFLOW_WORKER_PORT: healthPort } = values
  const { LOCKERFLOW_METRICS_PORT: metricsPort } = values
  return {
    ...temporalOf(source),
    ...codeIn(values),
    ...noticesIn(values),
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    api: drivenServiceOf(values),
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
    looks: { first: values.LOCKERFLOW_LOOK_FIRST, longest: values.LOCKERFLOW_LOOK_LONGEST },
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    ...(healthPort !== undefined && { healthPort }),
    ...(metricsPort !== undefined && { metricsPort }),
  }
}

/** Where flows run, for commands that talk to them. Throws a SettingsFault. */
export function readPlace(
  source: NodeJS.ProcessEnv = process.env,
): Pick<WorkerSettings, 'temporal' | 'namespace' | 'taskQueue'> {
  return { ...temporalOf(source), taskQueue: readVariables(source, taskQueueVariable).LOCKERFLOW_TASK_QUEUE }
}

/** The settings of the preparation. Throws a SettingsFault. */
export function readPreparation(source: NodeJS.ProcessEnv = process.env): PreparationSettings {
  return { ...temporalOf(source), retention: readVariables(source, preparationVariables).LOCKERFLOW_RETENTION }
}

/** The settings of a promotion; what the command line says of the build goes first. Throws a SettingsFault. */
export function readPromotion(said: Partial<Build> = {}, source: NodeJS.ProcessEnv = process.env): PromotionSettings {
  const { deploymentName = source.LOCKERFLOW_DEPLOYMENT, buildId = source.LOCKERFLOW_BUILD_ID } = said
  if (buildId && !deploymentName) throw new Error('--deployment: is missing, and LOCKERFLOW_DEPLOYMENT is not set')
  if (deploymentName && !buildId) throw new Error('--build-id: is missing, and LOCKERFLOW_BUILD_ID is not set')
  const given = { ...source, LOCKERFLOW_DEPLOYMENT: deploymentName, LOCKERFLOW_BUILD_ID: buildId }
  const values = readVariables(given, promotionVariables)
  return {
    ...temporalOf(source),
    ...codeIn(values),
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
  }
}

function temporalOf(source: NodeJS.ProcessEnv): Pick<WorkerSettings, 'temporal' | 'namespace'> {
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: present(source) })
  return {
    temporal: { ...connectionOptions, address: connectionOptions.address ?? '127.0.0.1:7233' },
    namespace: namespace ?? 'default',
  }
}
