import {
  DefaultFailureConverter,
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  TimeoutFailure,
} from '@temporalio/common'
import { hasMemo } from './rawValues.ts'

/** Set by worker/bundle.ts for a worker that encrypts payloads. */
const { lockerflowEncryptsFailures = false } = globalThis as { lockerflowEncryptsFailures?: boolean }

/** Reads details that no worker can decode as undefined: an activity in another language can send them (D-512). */
class Tolerant implements PayloadConverter {
  readonly #converter: PayloadConverter

  constructor(converter: PayloadConverter) {
    this.#converter = converter
  }

  toPayload(...given: Parameters<PayloadConverter['toPayload']>): Payload {
    return this.#converter.toPayload(...given)
  }

  fromPayload<Value>(...given: Parameters<PayloadConverter['fromPayload']>): Value {
    try {
      return this.#converter.fromPayload(...given) as Value
    } catch {
      return undefined as Value
    }
  }
}

/** The SDK leaves out the cause of a timeout, which is the failure of the last attempt that ended before it. */
class WithCauses extends DefaultFailureConverter {
  override failureToError(...[failure, converter, context]: Parameters<DefaultFailureConverter['failureToError']>) {
    const rest = [converter instanceof Tolerant ? converter : new Tolerant(converter), context] as const
    const error = super.failureToError(failure, ...rest)
    const { cause } = failure
    if (error instanceof TimeoutFailure && cause) Object.assign(error, { cause: this.failureToError(cause, ...rest) })
    return error
  }
}

/**
 * Reads a memo that no worker can decode as undefined: any starter can send one, and no flow reads it (D-417). The SDK decodes
 * it before the workflow runs. An update or a query that cannot be decoded is rejected.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (...given) => defaultPayloadConverter.toPayload(...given),
  fromPayload<Value>(...given: Parameters<PayloadConverter['fromPayload']>): Value {
    try {
      return defaultPayloadConverter.fromPayload(...given) as Value
    } catch (error) {
      if (hasMemo()) throw error
      return undefined as Value
    }
  },
}

/**
 * Moves message and stack trace of failures into a payload, which the worker encrypts. The bundler loads this file by
 * its path. Replays do not depend on it: Temporal compares the commands, without the attributes of failures.
 */
export const failureConverter = new WithCauses({ encodeCommonAttributes: lockerflowEncryptsFailures })
