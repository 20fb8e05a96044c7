import type { WorkerDeploymentVersion } from '@temporalio/common'
import type { Logger } from 'pino'
import { readTemporalConnection, readTemporalTarget, type TemporalTarget } from '#client/connection'
import { readDataConverter } from '#platform/codec'
import { createProcessLog } from '#platform/logs'
import { readDrivenService, readListeningHost, readTogether, readVariables, type Values } from '#platform/settings'
import { readBuildSettings } from './buildSettings.ts'
import { readNotificationSettings } from './notificationSettings.ts'
import { readTemporalProxy } from './proxy.ts'
import type { WorkerSettings } from './settings.ts'
import { ownFlowVariables, ownVariables, preparationVariables } from './variables.ts'

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

/** Reads the names of the files of a team's own flows. @throws SettingsError */
export function readOwnFileNames(source: NodeJS.ProcessEnv = process.env): Values<typeof ownFlowVariables> {
  return readVariables(source, ownFlowVariables)
}

/**
 * Reads the settings of a worker process, without the files of a team's own flows.
 * @param given settings from elsewhere, whose variables may be missing
 * @throws SettingsError with every problem
 */
export function readEnvironment(
  source: NodeJS.ProcessEnv = process.env,
  given: Partial<WorkerSettings> = {},
): WorkerProcessSettings {
  const { api, profile, namespace } = given
  const { temporal, dataConverter, build, notifications, driven, values, host } = readTogether({
    // A worker has no setting for its address: its ports are for operators.
    host: () => readListeningHost(source, undefined),
    dataConverter: () => given.dataConverter ?? readDataConverter(source),
    temporal: () =>
      given.temporal && namespace !== undefined
        ? { temporal: given.temporal, namespace }
        : withProxy(source, readTemporalConnection(source)),
    build: () => readBuildSettings(source),
    notifications: () => (given.notifications ? {} : readNotificationSettings(source)),
    driven: () => (api && profile ? { api, profile } : readDrivenService(source)),
    values: () => readVariables(source, ownVariables),
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
    pollInterval: { initial: values.LOCKERFLOW_POLL_INITIAL, maximum: values.LOCKERFLOW_POLL_MAXIMUM },
    earlyPoll,
    ...(maxCachedWorkflows !== undefined && { maxCachedWorkflows }),
    maxOutsideActivities: values.LOCKERFLOW_MAX_OUTSIDE_ACTIVITIES,
    ...(host !== undefined && { host }),
    ...(healthPort !== undefined && { healthPort }),
    log: createProcessLog('worker', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/** Adds the proxy of the environment to a connection of Temporal's worker, which reads none itself. @throws SettingsError */
function withProxy<Target extends { readonly temporal: { readonly address: string } }>(
  source: NodeJS.ProcessEnv,
  target: Target,
) {
  const proxy = readTemporalProxy(source, target.temporal.address)
  return { ...target, temporal: { ...target.temporal, ...(proxy && { proxy }) } }
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
    build: () => readBuildSettings(merged),
  })
  return { ...target, ...build }
}
