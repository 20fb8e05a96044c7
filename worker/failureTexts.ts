// The texts of the failures of activities: too long ones, and lone surrogates, such as `message.slice(0, 30)` leaves of an emoji.
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/** The texts of an error that become fields of Temporal's failure. */
const texts = ['message', 'name', 'type', 'stack'] as const

/** Characters. Temporal takes no response with more than four megabytes: it would time the attempt out, and repeat it (D-410). */
const longest = 16_000

/**
 * Cuts the texts of failures, and replaces lone surrogates by U+FFFD. protobufjs writes them into short texts as they are,
 * Temporal's core then rejects the completion, and the SDK ends the worker, also the next one that repeats the activity.
 */
export const repairFailureTexts: ActivityInterceptorsFactory = () => ({
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
  const seen = new Set<unknown>()
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each)
    for (const text of texts) {
      const value: unknown = Reflect.get(each, text)
      if (typeof value !== 'string' || (value.length <= longest && value.isWellFormed())) continue
      const repaired = { value: toSafe(value), configurable: true, writable: true }
      if (!Reflect.defineProperty(each, text, repaired)) return new Error(toSafe((error as Error).message))
    }
  }
  return error
}

function toSafe(text: string): string {
  return (text.length <= longest ? text : `${text.slice(0, longest)}...`).toWellFormed()
}
