import { DefaultFailureConverter } from '@temporalio/common'

/** Set by worker/bundle.ts for a worker that encrypts payloads. */
const { lockerflowEncryptsFailures = false } = globalThis as { lockerflowEncryptsFailures?: boolean }

/**
 * Moves message and stack trace of failures into a payload, which the worker encrypts. The bundler loads this file by
 * its path. Replays do not depend on it: Temporal compares the commands, without the attributes of failures.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: lockerflowEncryptsFailures })
