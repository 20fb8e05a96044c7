import { asyncLocalStorage } from '@temporalio/activity'
import type { Api } from '#contract/client'
import { retryable, toFailedAttempt } from './failures.ts'

/** An attempt ends this long before its timeout, so that its failure reaches Temporal: a tenth of the timeout, at most 500 ms. */
const [marginShare, maxMargin] = [0.1, 500]

/** Node ends a longer timer after a millisecond. */
const maxTimer = 2 ** 31 - 1

/**
 * Runs an attempt, and ends it shortly before Temporal times it out: a worker keeps the slot of an attempt until its function
 * has returned, and each retry takes another one. The API that the attempt gets aborts its reads, changes and uploads
 * then. A create is never aborted: it continues without a slot, and a retry with its key gets its response.
 * @param cancelled aborts them earlier
 */
export async function withinTimeout<Result>(
  api: Api,
  work: (api: Api, signal: AbortSignal) => Promise<Result>,
  cancelled?: AbortSignal,
): Promise<Result> {
  const timeout = findTimeout()
  const ended = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer =
    timeout !== undefined &&
    setTimeout(() => {
      ended.abort()
      // The request may have taken effect, as after a timeout by Temporal.
      const message = `The attempt had no response within ${timeout} ms.`
      reject(retryable('NoResponse', message, toFailedAttempt({}, true)))
    }, timeout)
  const signal = cancelled === undefined ? ended.signal : AbortSignal.any([ended.signal, cancelled])
  try {
    // The race handles the rejection of a call that ends later.
    return await Promise.race([work(abortable(api, signal), signal), promise])
  } finally {
    if (timer !== false) clearTimeout(timer)
  }
}

/** Milliseconds. Undefined in a simulator, which has no context of the SDK. */
function findTimeout(): number | undefined {
  const limit = asyncLocalStorage.getStore()?.info.startToCloseTimeoutMs
  return limit === undefined ? undefined : Math.min(limit - Math.min(limit * marginShare, maxMargin), maxTimer)
}

function abortable(api: Api, signal: AbortSignal): Api {
  return {
    ...api,
    call: (name, request, options) => api.call(name, request, { ...options, signal }),
    upload: (name, request, file, options) => api.upload(name, request, file, { ...options, signal }),
  }
}
