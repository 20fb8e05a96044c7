import { ApplicationFailure, type Duration } from '@temporalio/common'
import { parseDuration } from '#flows'
import type { NamedOptions } from '#workflows/runtime'

/** The milliseconds between a failed attempt and the next one, as Temporal's server computes them. */
export function toBackoff({ retry = {} }: NamedOptions, attempt: number, failure: Error): number {
  if (
    failure instanceof ApplicationFailure &&
    failure.nextRetryDelay !== undefined &&
    failure.nextRetryDelay !== null
  ) {
    return milliseconds(failure.nextRetryDelay) ?? 0
  }
  const initial = milliseconds(retry.initialInterval) ?? 1_000
  const maximum = milliseconds(retry.maximumInterval) ?? 100 * initial
  return Math.min(initial * (retry.backoffCoefficient ?? 2) ** (attempt - 1), maximum)
}

/** Undefined for an absent duration, and for a text that is no duration. */
export function milliseconds(duration: Duration | undefined): number | undefined {
  return typeof duration === 'string' ? parseDuration(duration) : duration
}
