import { asyncLocalStorage } from '@temporalio/activity'

/**
 * The number of the attempt that runs, counted from 1. Temporal starts again at 1 when an operator resets the activity, and an
 * earlier attempt may have taken effect: the first attempt after a reset is the second one at least.
 */
export function attemptNumber(): number {
  const info = asyncLocalStorage.getStore()?.info
  // A simulator has no context of the SDK, and makes one attempt.
  if (info === undefined) return 1
  const { attempt, scheduledTimestampMs, currentAttemptScheduledTimestampMs } = info
  return currentAttemptScheduledTimestampMs > scheduledTimestampMs ? Math.max(2, attempt) : attempt
}

/** True for the first attempt after an operator has reset the activity. */
export function isFirstAfterReset(): boolean {
  return attemptNumber() !== (asyncLocalStorage.getStore()?.info.attempt ?? 1)
}
