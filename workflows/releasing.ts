import { flowFailure } from './failures.ts'
import { isCancelled, orderedBy, type Run, refuseEnded } from './run.ts'

/** Refuses a release of what is not kept, or not booked yet, or cancelled already. */
export function refuseRelease(run: Run): void {
  refuseEnded(run)
  const sentence = objection(run)
  if (sentence !== undefined) throw flowFailure('NothingToRelease', sentence)
}

function objection(run: Run): string | undefined {
  if (orderedBy(run, 'release') === undefined) return 'The flow keeps no booking that could be released.'
  if (run.booking !== 'booked') return 'The flow is not booked yet.'
  return isCancelled(run) ? 'The flow is being cancelled.' : undefined
}

/** Ends the booking that is kept: the flow goes on to its end, and then waiting handlers answer. */
export function orderRelease(run: Run): void {
  run.released = true
  run.stirred = true
}
