// Lone surrogates in the texts of failures, such as `message.slice(0, 30)` leaves of an emoji.
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/** The texts of an error that become fields of Temporal's failure. */
const texts = ['message', 'name', 'type', 'stack'] as const

/**
 * Replaces lone surrogates in the failures of activities by U+FFFD. protobufjs writes them into short texts as they are,
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
      if (typeof value !== 'string' || value.isWellFormed()) continue
      const repaired = { value: value.toWellFormed(), configurable: true, writable: true }
      if (!Reflect.defineProperty(each, text, repaired)) return new Error((error as Error).message.toWellFormed())
    }
  }
  return error
}
