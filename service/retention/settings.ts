import { z } from 'zod'
import { type Duration, mustBeDuration, parseDuration } from '#contract/terms'
import type { Values, Variable } from '#platform/settings'

/** The ages at which rows are purged, in milliseconds. */
export interface RetentionTimes {
  readonly shipments: number
  readonly audit: number
  readonly deadCallbacks: number
  readonly stagedUploads: number
  readonly removedTenants: number
  readonly signIns: number
  readonly responses: number
}

interface Limits {
  /** The default. */
  readonly usual: Duration
  readonly minimum: Duration | '0'
}

const milliseconds = (text: string): number | undefined => (text === '0' ? 0 : parseDuration(text))

function keep(description: string, { usual, minimum }: Limits) {
  const wrong = `${mustBeDuration}, at least ${minimum}`
  return {
    description: `${description} At least ${minimum}.`,
    example: usual,
    schema: z
      .string()
      .default(usual)
      .transform((text, context) => {
        const time = milliseconds(text)
        if (time !== undefined && time >= (milliseconds(minimum) ?? 0)) return time
        context.addIssue(wrong)
        return z.NEVER
      }),
  } as const satisfies Variable
}

/** One variable for each kind of row that the service purges. */
export const retentionVariables = {
  LOCKERFLOW_KEEP_SHIPMENTS: keep(
    'Time after which ended shipments are purged with their objects, counted from their last change. A shipment stays while its case or a linked shipment is active.',
    { usual: '365d', minimum: '1d' },
  ),
  LOCKERFLOW_KEEP_AUDIT: keep('Time after which entries of the audit log are purged.', {
    usual: '365d',
    minimum: '1d',
  }),
  LOCKERFLOW_KEEP_DEAD_CALLBACKS: keep(
    'Time after which callbacks that were given up are purged. Later callbacks of their shipment are then sent.',
    { usual: '90d', minimum: '1h' },
  ),
  LOCKERFLOW_KEEP_STAGED_UPLOADS: keep('Time after which an upload of suggestions that never ended is purged.', {
    usual: '1h',
    minimum: '5m',
  }),
  LOCKERFLOW_KEEP_REMOVED_TENANTS: keep('Time after which the suggestions of a removed tenant are purged.', {
    usual: '1h',
    minimum: '0',
  }),
  LOCKERFLOW_KEEP_SIGN_INS: keep(
    'Time after which counts of wrong secrets are purged, counted from the end of their lock, and rate limits of clients that make no requests.',
    { usual: '15m', minimum: '15m' },
  ),
  LOCKERFLOW_KEEP_RESPONSES: keep(
    'Time for which the response of an Idempotency-Key is stored, and after which it is purged.',
    { usual: '24h', minimum: '24h' },
  ),
} as const satisfies Record<string, Variable>

export function toRetentionTimes(values: Values<typeof retentionVariables>): RetentionTimes {
  return {
    shipments: values.LOCKERFLOW_KEEP_SHIPMENTS,
    audit: values.LOCKERFLOW_KEEP_AUDIT,
    deadCallbacks: values.LOCKERFLOW_KEEP_DEAD_CALLBACKS,
    stagedUploads: values.LOCKERFLOW_KEEP_STAGED_UPLOADS,
    removedTenants: values.LOCKERFLOW_KEEP_REMOVED_TENANTS,
    signIns: values.LOCKERFLOW_KEEP_SIGN_INS,
    responses: values.LOCKERFLOW_KEEP_RESPONSES,
  }
}

/** The defaults of the variables. */
export const defaultRetention: RetentionTimes = toRetentionTimes(
  z
    .object(Object.fromEntries(Object.entries(retentionVariables).map(([name, { schema }]) => [name, schema])))
    .parse({}) as Values<typeof retentionVariables>,
)
