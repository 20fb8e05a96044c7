import {
  DefaultFailureConverter,
  defaultPayloadConverter,
  type PayloadConverter,
  TimeoutFailure,
} from '@temporalio/common'

/** Set by worker/bundle.ts for a worker that encrypts payloads. */
const { lockerflowEncryptsFailures = false } = globalThis as { lockerflowEncryptsFailures?: boolean }

/**
 * Reads a payload that no worker can decode as undefined: any client and any activity in another language can send one, and the
 * SDK would fail every workflow task of the flow from then on. An encrypted one fails the task, since a worker with the
 * key can go on.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (...given) => defaultPayloadConverter.toPayload(...given),
  fromPayload<Value>(...given: Parameters<PayloadConverter['fromPayload']>): Value {
    try {
      return defaultPayloadConverter.fromPayload(...given) as Value
    } catch (error) {
      if (String.fromCharCode(...(given[0].metadata?.encoding ?? [])) === 'binary/encrypted') throw error
      return undefined as Value
    }
  },
}

/** The SDK leaves out the cause of a timeout, which is the failure of the last attempt that ended before it. */
class WithCauses extends DefaultFailureConverter {
  override failureToError(...[failure, ...rest]: Parameters<DefaultFailureConverter['failureToError']>) {
    const error = super.failureToError(failure, ...rest)
    const { cause } = failure
    if (error instanceof TimeoutFailure && cause) Object.assign(error, { cause: this.failureToError(cause, ...rest) })
    return error
  }
}

/**
 * Moves message and stack trace of failures into a payload, which the worker encrypts. The bundler loads this file by
 * its path. Replays do not depend on it: Temporal compares the commands, without the attributes of failures.
 */
export const failureConverter = new WithCauses({ encodeCommonAttributes: lockerflowEncryptsFailures })
