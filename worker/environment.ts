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

export const workerVariables = {
  ...environmentVariable,
  ...drivenServiceVariables,
  ...taskQueueVariable,
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
} as const satisfies Record<string, Variable>

/** The settings of a worker process; Temporal's own variables are read by its envconfig. Throws a SettingsFault. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): WorkerSettings {
  const values = readVariables(source, workerVariables)
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: present(source) })
  return {
    temporal: { ...connectionOptions, address: connectionOptions.address ?? '127.0.0.1:7233' },
    namespace: namespace ?? 'default',
    taskQueue: values.LOCKERFLOW_TASK_QUEUE,
    environment: values.LOCKERFLOW_ENVIRONMENT,
    api: drivenServiceOf(values),
    profile: values.LOCKERFLOW_SERVICE_PROFILE,
    ...(values.LOCKERFLOW_MAX_CACHED_WORKFLOWS !== undefined && {
      maxCachedWorkflows: values.LOCKERFLOW_MAX_CACHED_WORKFLOWS,
    }),
    looks: { first: values.LOCKERFLOW_LOOK_FIRST, longest: values.LOCKERFLOW_LOOK_LONGEST },
  }
}
