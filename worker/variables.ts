import { z } from 'zod'
import { parseDuration } from '#flows'
import { codecVariables } from '#platform/codec'
import {
  drivenServiceVariables,
  environmentVariable,
  logLevelVariable,
  port,
  taskQueueVariable,
  type Variable,
  wholeNumber,
} from '#platform/settings'
import { buildVariables } from './buildSettings.ts'
import { notificationVariables } from './notificationSettings.ts'
import { defaultOutsideActivities } from './settings.ts'

/** Read by the worker in addition to the variables of its build, its notifications and the service. */
export const ownVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  ...taskQueueVariable,
  LOCKERFLOW_POLL_INITIAL: {
    description:
      'Interval after which a waiting flow first polls the service for its shipments. It doubles with each poll.',
    example: '1h',
    schema: duration('1h'),
  },
  LOCKERFLOW_POLL_MAXIMUM: {
    description: 'Maximum interval between two polls.',
    example: '1d',
    schema: duration('1d'),
  },
  LOCKERFLOW_FLOWS: {
    description:
      'Declarations of your own flows: a path, or a pattern, of TypeScript, YAML or JSON files. See [run your own flows](../how-to/run-your-own-flows.md).',
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
  LOCKERFLOW_MAX_OUTSIDE_ACTIVITIES: {
    description:
      'Number of activities of a worker that wait for outside parties at once: files, receivers of notifications, bookings of other flows, and run steps. They have a task queue of their own, whose name ends in `-outside`.',
    example: '200',
    schema: wholeNumber({ from: 1, to: 10_000 }).default(defaultOutsideActivities),
  },
  LOCKERFLOW_WORKER_PORT: {
    description: 'Port of /health/live and /health/ready; 0 means a free port. Without it the worker serves neither.',
    example: '8083',
    schema: port(0).optional(),
  },
} as const satisfies Record<string, Variable>

const { LOCKERFLOW_FLOWS, LOCKERFLOW_ACTIVITIES, LOCKERFLOW_CALENDARS } = ownVariables

/** Read by `lockerflow dev` too, whose worker has no other of these settings. */
export const ownFlowVariables = { LOCKERFLOW_FLOWS, LOCKERFLOW_ACTIVITIES, LOCKERFLOW_CALENDARS } as const

export const workerVariables = {
  ...ownVariables,
  ...codecVariables,
  ...drivenServiceVariables,
  ...buildVariables,
  ...notificationVariables,
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
