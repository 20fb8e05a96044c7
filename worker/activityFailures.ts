// The failures of activities: those that are too large, those that Temporal cannot encode, and lone surrogates, such as
// `message.slice(0, 30)` leaves of an emoji.
import { defaultPayloadConverter, toPayloads } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/** The texts of an error that become fields of Temporal's failure. */
const texts = ['message', 'name', 'type', 'stack'] as const

/** Characters. Temporal takes no response with more than four megabytes: it would time the attempt out, and repeat it (D-410). */
const longest = 16_000

/** Bytes of all details. Temporal drops those of a failure of more than two megabytes, and does not repeat the activity. */
const mostDetails = 1_000_000

/** Temporal keeps twenty. An error can be its own cause. */
const mostCauses = 10

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

/** Returns the error itself, with its class and stack, unless it is frozen. */
function repair(error: unknown): unknown {
  const left = { causes: mostCauses, details: mostDetails }
  for (let each = error; each instanceof Error; each = each.cause) {
    for (const [field, value] of Object.entries(repairsOf(each, left))) {
      const repaired = { value, configurable: true, writable: true }
      if (!Reflect.defineProperty(each, field, repaired)) return new Error(toSafe((error as Error).message))
    }
  }
  return error
}

/** The fields that have to change, with their new values. */
function repairsOf(error: Error, left: { causes: number; details: number }): Record<string, unknown> {
  const repairs: Record<string, unknown> = {}
  for (const text of texts) {
    const value: unknown = Reflect.get(error, text)
    if (typeof value === 'string' && toSafe(value) !== value) repairs[text] = toSafe(value)
  }
  const details: unknown = Reflect.get(error, 'details')
  const size = Array.isArray(details) ? toBytes(details) : 0
  if (size > left.details) repairs.details = ['The worker dropped the details: they were too large, or no JSON.']
  else left.details -= size
  if (left.causes-- === 0 && error.cause !== undefined) repairs.cause = undefined
  return repairs
}

function toBytes(details: readonly unknown[]): number {
  try {
    const payloads = toPayloads(defaultPayloadConverter, ...details) ?? []
    return payloads.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function toSafe(text: string): string {
  return (text.length <= longest ? text : `${text.slice(0, longest)}...`).toWellFormed()
}
