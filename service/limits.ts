import { type Values, type Variable, wholeNumber } from '#platform/settings'
import type { Settings } from './settings.ts'

/** Sizes and time limits of a service. Time limits are in milliseconds. */
export const limitVariables = {
  LOCKERFLOW_DATABASE_CONNECTIONS: {
    description: 'Maximum number of connections of one process to PostgreSQL.',
    example: '16',
    schema: wholeNumber({ from: 2, to: 500 }).default(16),
  },
  LOCKERFLOW_STATEMENT_TIMEOUT: {
    description: 'Time limit of a statement on PostgreSQL, in milliseconds. A slower store counts as unavailable.',
    example: '10000',
    schema: wholeNumber({ from: 100, to: 600_000 }).default(10_000),
  },
  LOCKERFLOW_LOCK_TIMEOUT: {
    description:
      'Longest time that a statement waits for a lock of another transaction, and that a request waits for a door, in milliseconds.',
    example: '5000',
    schema: wholeNumber({ from: 100, to: 60_000 }).default(5_000),
  },
  LOCKERFLOW_REQUEST_TIMEOUT: {
    description:
      'Time within which a request must arrive completely, in milliseconds. An upload has 60 seconds from its turn.',
    example: '60000',
    schema: wholeNumber({ from: 1_000, to: 600_000 }).default(60_000),
  },
  LOCKERFLOW_BODY_LIMIT: {
    description: 'Largest body of a request in bytes. Uploads have limits of their own.',
    example: '262144',
    schema: wholeNumber({ from: 16_384, to: 16_777_216 }).default(262_144),
  },
  LOCKERFLOW_CALLBACK_TIMEOUT: {
    description: 'Time limit of one delivery of a callback, response included, in milliseconds.',
    example: '15000',
    schema: wholeNumber({ from: 100, to: 120_000 }).default(15_000),
  },
} as const satisfies Record<string, Variable>

/** The settings that the variables stand for. */
export function readLimits(
  values: Values<typeof limitVariables>,
): Pick<Settings, 'connections' | 'statementTimeout' | 'lockTimeout' | 'requestTimeout' | 'bodyLimit'> {
  return {
    connections: values.LOCKERFLOW_DATABASE_CONNECTIONS,
    statementTimeout: values.LOCKERFLOW_STATEMENT_TIMEOUT,
    lockTimeout: values.LOCKERFLOW_LOCK_TIMEOUT,
    requestTimeout: values.LOCKERFLOW_REQUEST_TIMEOUT,
    bodyLimit: values.LOCKERFLOW_BODY_LIMIT,
  }
}
