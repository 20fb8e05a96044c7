import type { WorkerDeploymentVersion } from '@temporalio/common'
import { readTemporalConnection } from '#client/connection'
import { readDrivenService, readVariables, taskQueueVariable } from '#contract/settings'
import { buildSettingsFrom } from './buildSettings.ts'
import { notificationSettingsFrom } from './notificationSettings.ts'
import { preparationVariables, promotionVariables, workerVariables } from './variables.ts'
import type { WorkerSettings } from './worker.ts'

export interface WorkerProcessSettings extends WorkerSettings {
  readonly healthPort?: number
  readonly metricsPort?: number
}

/** The address, namespace and task queue of the flows. */
export interface TemporalTarget extends Pick<WorkerSettings, 'temporal' | 'namespace' | 'taskQueue'> {}

export interface PreparationSettings extends Pick<WorkerSettings, 'temporal' | 'namespace'> {
  /** Milliseconds. */
  readonly retention: number
}

export interface PromotionSettings extends TemporalTarget, Pick<WorkerSettings, 'bundle' | 'build'> {}

/**
 * Reads the settings of a worker process.
 * @throws SettingsError
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): WorkerProcessSettings {
  const values = readVariables(source, workerVariables)
  const { LOCKERFLOW_MAX_CACHED_WORKFLOWS: maxCachedWorkflows, LOCKERFLOW_WORKER_PORT: healthPort } = values
  const { LOCKERFLOW_METRICS_PORT: metricsPort } = values
  return {
    ...readTemporalConnection(source),
    ...buildSettingsFrom(values),
    ...notificationSettingsFrom(values),
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    api: readDrivenService(values),
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
    pollInterval: { initial: values.LOCKERFLOW_POLL_INITIAL, maximum: values.LOCKERFLOW_POLL_MAXIMUM },
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    ...(healthPort !== undefined && { healthPort }),
    ...(metricsPort !== undefined && { metricsPort }),
  }
}

/**
 * Reads the target of commands that talk to flows.
 * @throws SettingsError
 */
export function readTemporalTarget(source: NodeJS.ProcessEnv = process.env): TemporalTarget {
  return {
    ...readTemporalConnection(source),
    taskQueue: readVariables(source, taskQueueVariable).LOCKERFLOW_TASK_QUEUE,
  }
}

/**
 * Reads the settings of the preparation.
 * @throws SettingsError
 */
export function readPreparation(source: NodeJS.ProcessEnv = process.env): PreparationSettings {
  return {
    ...readTemporalConnection(source),
    retention: readVariables(source, preparationVariables).LOCKERFLOW_RETENTION,
  }
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
  if (buildId && !deploymentName)
    throw new Error('--deployment is missing and LOCKERFLOW_DEPLOYMENT is not set. Set one of them.')
  if (deploymentName && !buildId)
    throw new Error('--build-id is missing and LOCKERFLOW_BUILD_ID is not set. Set one of them.')
  const merged = { ...source, LOCKERFLOW_DEPLOYMENT: deploymentName, LOCKERFLOW_BUILD_ID: buildId }
  const values = readVariables(merged, promotionVariables)
  return {
    ...readTemporalConnection(source),
    ...buildSettingsFrom(values),
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
  }
}
