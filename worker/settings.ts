import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common'
import type { NativeConnectionOptions, WorkflowBundleOption } from '@temporalio/worker'
import type { ActivitySettings } from '#activities'
import type { ApiSettings } from '#contract/client'
import type { OwnFlows } from './ownFlows.ts'

/** Waiting costs neither processor time nor, but for files, memory. */
export const defaultOutsideActivities = 100

/** The settings of a worker. `startWorker` reads those that are absent from the environment. */
export interface WorkerSettings extends Omit<ActivitySettings, 'callbacks' | 'flows'>, OwnFlows {
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
  /** Activities that run at once; as many as the SDK allows by default. */
  readonly maxConcurrentActivities?: number
  /** Activities that wait for outside parties at once, on a task queue of their own; a hundred by default. */
  readonly maxOutsideActivities?: number
  /** The worker's build. Without one, the worker is unversioned and polls tasks of no deployment. */
  readonly build?: WorkerDeploymentVersion
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
