import { ApplicationFailure } from '@temporalio/activity'
import { attemptNumber, isFirstAfterReset } from './attempt.ts'
import type { FailedAttempt } from './interface.ts'

/** Notes of an attempt for the next one, which gets them even if the worker was lost. */
export interface AttemptNotes {
  readonly earlier: unknown
  note(details: unknown): void
}

/** The number of attempts so far, none of which can have taken effect. */
interface Notes {
  readonly certain: number
}

/**
 * Tells the next attempt whether all attempts so far have certainly had no effect, and marks the failure of a later one with it:
 * a service that has rejected each of them with HTTP 429 has booked nothing. An attempt that is lost with its worker
 * notes nothing, so its successor finds too low a number. A reset by an operator starts the count again, so it ends the notes.
 */
export async function withCertainAttempts<Result>(
  { earlier, note }: AttemptNotes,
  work: () => Promise<Result>,
): Promise<Result> {
  const attempt = attemptNumber()
  const isCounted = isNoted(earlier) && earlier.certain === attempt - 1
  const isCertainSoFar = attempt === 1 || (isCounted && !isFirstAfterReset())
  // Another note of an earlier attempt must stay.
  if (!isCertainSoFar && isNoted(earlier)) note(undefined)
  try {
    return await work()
  } catch (error) {
    const details = isCertainSoFar ? detailsOf(error) : undefined
    if (details?.outcomeUnknown === false) {
      if (attempt > 1) details.earlierCertain = true
      note({ certain: attempt } satisfies Notes)
    }
    throw error
  }
}

function isNoted(earlier: unknown): earlier is Notes {
  return typeof earlier === 'object' && earlier !== null && 'certain' in earlier
}

function detailsOf(error: unknown): FailedAttempt | undefined {
  if (!(error instanceof ApplicationFailure)) return undefined
  const [details] = (error.details ?? []) as [FailedAttempt?]
  return details
}
