// The failures of activities: those that are too large, those that Temporal cannot encode, and lone surrogates, such as
// `message.slice(0, 30)` leaves of an emoji.
import { isDeepStrictEqual } from 'node:util'
import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
  type PayloadConverter,
  type ProtoFailure,
  TemporalFailure,
} from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/** Characters. Temporal rejects a response of more than four megabytes: it would time out the attempt, and repeat it (D-410). */
const longest = 16_000

/** Bytes of all details. Temporal drops those of a failure of more than two megabytes, and does not repeat the activity. */
const mostDetails = 1_000_000

/** Causes of a failure, each the cause of the one before. Temporal keeps twenty. */
const mostCauses = 10

const droppedDetails = 'The worker dropped the details: they were too large, or not JSON.'
const unreadable = 'The activity threw a value that Temporal cannot encode.'

const converter = new DefaultFailureConverter()

/** Encodes values outside JSON as an empty payload. For a function, the default converter returns one that it cannot decode. */
const payloads: PayloadConverter = {
  toPayload(value) {
    try {
      const payload = defaultPayloadConverter.toPayload(value)
      defaultPayloadConverter.fromPayload(payload)
      return payload
    } catch {
      return {}
    }
  },
  fromPayload: payload => defaultPayloadConverter.fromPayload(payload),
}

/**
 * Cuts the texts of failures, drops details that are too large or cannot be encoded, and replaces lone surrogates by U+FFFD.
 * protobufjs writes them into short texts as they are, Temporal's core then rejects the completion, and the SDK ends the
 * worker, also the next one that repeats the activity. It ends the worker after an error of the encoding, too.
 */
export const repairFailures: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input)
      } catch (error) {
        throw repair(error)
      }
    },
  },
})

/** Returns the error itself, with its class and stack, unless a part of it has to change. */
function repair(error: unknown): unknown {
  try {
    // A cancellation stays one.
    const thrown = error instanceof TemporalFailure ? error : ensureApplicationFailure(error)
    const failure = converter.errorToFailure(thrown, payloads)
    const repaired = repairFailure(failure, { causes: mostCauses, details: mostDetails })
    return isDeepStrictEqual(repaired, failure) ? error : converter.failureToError(repaired, payloads)
  } catch {
    // For instance an error that is its own cause, a delay that is not a number, or a getter that throws.
    return withoutParts(error)
  }
}

function repairFailure(failure: ProtoFailure, left: { causes: number; details: number }): ProtoFailure {
  const { message, stackTrace, cause, applicationFailureInfo: application, canceledFailureInfo: cancelled } = failure
  return {
    ...failure,
    message: toSafe(message),
    stackTrace: toSafe(stackTrace),
    ...(application && {
      applicationFailureInfo: { ...application, type: toSafe(application.type), ...repairDetails(application, left) },
    }),
    ...(cancelled && { canceledFailureInfo: { ...cancelled, ...repairDetails(cancelled, left) } }),
    ...(cause && { cause: left.causes-- > 0 ? repairFailure(cause, left) : null }),
  }
}

type WithDetails = Pick<NonNullable<ProtoFailure['applicationFailureInfo']>, 'details'>

function repairDetails({ details }: WithDetails, left: { details: number }): WithDetails {
  if (!details?.payloads) return {}
  const sizes = details.payloads.map(({ metadata, data }) =>
    metadata ? (data?.length ?? 0) : Number.POSITIVE_INFINITY,
  )
  const size = sizes.reduce((sum, each) => sum + each, 0)
  if (size > left.details) return { details: { payloads: [payloads.toPayload(droppedDetails)] } }
  left.details -= size
  return {}
}

/** The texts of a failure that can be read. One that is not retryable stays so. */
function withoutParts(error: unknown): ApplicationFailure {
  const type = readText(error, 'type') ?? readText(error, 'name')
  return ApplicationFailure.create({
    message: readText(error, 'message') || unreadable,
    nonRetryable: read(error, 'nonRetryable') === true,
    ...(type !== undefined && { type }),
  })
}

function readText(value: unknown, field: string): string | undefined {
  const text = read(value, field)
  return typeof text === 'string' ? cut(text) : undefined
}

function read(value: unknown, field: string): unknown {
  try {
    return Reflect.get(Object(value), field)
  } catch {
    return undefined
  }
}

/** The text of a field, which can have any type. */
function toSafe(value: unknown): string | null {
  return value === undefined || value === null ? null : cut(String(value))
}

function cut(text: string): string {
  return (text.length <= longest ? text : `${text.slice(0, longest)}...`).toWellFormed()
}
