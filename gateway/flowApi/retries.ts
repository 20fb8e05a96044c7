import { setTimeout } from 'node:timers/promises'
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client'

/** Milliseconds between two attempts, so that a stop does not wait long. */
const maxDelay = 1_000
/** Milliseconds by which a timer may be late. */
const tolerance = 50

/** Repeats failed calls of a connection as Temporal's client does, until it is stopped. */
export function createRetries() {
  const usual = defaultGrpcRetryOptions()
  let isStopped = false
  /** By `performance.now()`. */
  let lastAttemptAt = 0
  const interceptor = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !isStopped && usual.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const delay = Math.min(maxDelay, usual.delayFunction(attempt, status))
      lastAttemptAt = Math.max(lastAttemptAt, performance.now() + delay)
      return delay
    },
  })
  return {
    interceptors: [interceptor],
    /** Repeats no further call. */
    stop() {
      isStopped = true
    },
    /** Waits until no retry is due. One on a closed connection would be an uncaught exception. */
    async end(): Promise<void> {
      const left = lastAttemptAt - performance.now()
      if (left > -tolerance) await setTimeout(left + tolerance)
    },
  }
}
