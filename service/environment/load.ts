import { type Values, type Variable, wholeNumber } from '#platform/settings'
import type { Settings } from '../settings.ts'

/** Requests per second and API client in production (D-010). */
const productionRate = 200

/** Mebibytes of bodies per second and tenant in production (D-175). */
const productionBodyRate = 8

const mebibyte = 1_048_576

/** Rates of callers, and the load past which the service refuses requests. */
export const loadVariables = {
  LOCKERFLOW_RATE_LIMIT: {
    description: `Requests per second and API client; on PostgreSQL all processes together. Default: ${productionRate} in production, 0 (no limit) in staging.`,
    example: String(productionRate),
    schema: wholeNumber({ from: 0, to: 1_000_000, wrong: 'must be a whole number of requests per second' }).optional(),
  },
  LOCKERFLOW_BODY_RATE: {
    description: `Mebibytes of bodies per second and tenant, and per address without a token; the rest is read later. Default: ${productionBodyRate} in production, 0 (no limit) in staging.`,
    example: String(productionBodyRate),
    schema: wholeNumber({
      from: 0,
      to: 10_000,
      wrong: 'must be a whole number of mebibytes per second up to 10000',
    }).optional(),
  },
  LOCKERFLOW_MAX_EVENT_LOOP_DELAY: {
    description:
      'Mean delay of the event loop over a second, in milliseconds, above which requests get 503 Unavailable; 0 means no limit.',
    example: '500',
    schema: wholeNumber({ from: 0, to: 60_000, wrong: 'must be a whole number of milliseconds up to 60000' }).default(
      500,
    ),
  },
  LOCKERFLOW_MAX_STORE_WAIT: {
    description:
      'Longest time that a transaction waits for the store, in milliseconds, above which requests get 503 Unavailable; 0 means no limit.',
    example: '2000',
    schema: wholeNumber({ from: 0, to: 60_000, wrong: 'must be a whole number of milliseconds up to 60000' }).default(
      2_000,
    ),
  },
} as const satisfies Record<string, Variable>

type LoadSettings = Pick<Settings, 'rateLimit' | 'bodyRate' | 'maxEventLoopDelay' | 'maxStoreWait'>

export function readLoadSettings(values: Values<typeof loadVariables>, production: boolean): LoadSettings {
  return {
    rateLimit: values.LOCKERFLOW_RATE_LIMIT ?? (production ? productionRate : 0),
    bodyRate: (values.LOCKERFLOW_BODY_RATE ?? (production ? productionBodyRate : 0)) * mebibyte,
    maxEventLoopDelay: values.LOCKERFLOW_MAX_EVENT_LOOP_DELAY,
    maxStoreWait: values.LOCKERFLOW_MAX_STORE_WAIT,
  }
}
