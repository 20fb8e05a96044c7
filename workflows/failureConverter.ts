import { DefaultFailureConverter, TimeoutFailure } from '@temporalio/common'

/** Set by worker/bundle.ts for a worker that encrypts payloads. */
const { lockerflowEncryptsFailures = false } = globalThis as { lockerflowEncryptsFailures?: boolean }

/** The SDK leaves out the cause of a timeout, which is the failure of the last attempt that ended before it. */
class WithCauses extends DefaultFailureConverter {
  override failureToError(...given: Parameters<DefaultFailureConverter['failureToError']>) {
    const error = super.failureToError(...given)
    const [{ cause }, ...rest] = given
    if (error instanceof TimeoutFailure && cause) Object.assign(error, { cause: this.failureToError(cause, ...rest) })
    return error
  }
}

/**
 * Moves message and stack trace of failures into a payload, which the worker encrypts. The bundler loads this file by
 * its path. Replays do not depend on it: Temporal compares the commands, without the attributes of failures.
 */
export const failureConverter = new WithCauses({ encodeCommonAttributes: lockerflowEncryptsFailures })
