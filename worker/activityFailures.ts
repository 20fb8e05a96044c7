import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
} from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/** Characters. Temporal rejects a response of more than four megabytes: it would time out the attempt, and retry it. */
const maxLength = 16_000

/** Temporal keeps as many causes of a failure, each the cause of the one before. */
const maxCauses = 20

const converter = new DefaultFailureConverter()

/**
 * Cuts the texts of failures, and replaces lone surrogates with U+FFFD, such as `message.slice(0, 30)` leaves of an emoji.
 * protobufjs writes them into short texts as they are, Temporal's core then rejects the completion, and the SDK ends the
 * worker, including the next one that retries the activity.
 */
export const repairFailures: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input)
      } catch (error) {
        repair(error, maxCauses)
        throw toEncodable(error)
      }
    },
  },
})

function repair(error: unknown, causes: number): void {
  if (!(error instanceof Error) || causes < 0) return
  for (const field of ['message', 'stack', 'name', 'type']) {
    const text: unknown = Reflect.get(error, field)
    if (typeof text === 'string' && text !== toSafe(text)) Reflect.set(error, field, toSafe(text))
  }
  repair(error.cause, causes - 1)
}

/** The SDK ends the worker if it cannot encode a failure, for instance one whose details are not JSON. */
function toEncodable(error: unknown): unknown {
  try {
    converter.errorToFailure(ensureApplicationFailure(error), defaultPayloadConverter)
    return error
  } catch {
    const { message, type, nonRetryable } = error as ApplicationFailure
    return ApplicationFailure.create({ message, nonRetryable: nonRetryable === true, ...(type != null && { type }) })
  }
}

function toSafe(text: string): string {
  return (text.length <= maxLength ? text : `${text.slice(0, maxLength)}...`).toWellFormed()
}
