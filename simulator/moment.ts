import { type RequestValues, toInstant } from '#cases/request'
import { parseDuration } from '#flows'
import type { MomentReference } from './story.ts'

/** The milliseconds of a duration. @throws Error for a text that is no duration */
export function toLength(duration: string): number {
  const length = parseDuration(duration)
  if (length === undefined) throw new Error(`after: must be a duration such as "3d", got ${duration}.`)
  return length
}

/**
 * The moment of a reference, in milliseconds since 1970.
 * @param now in milliseconds since 1970
 * @throws Error for a text that is no moment, and for a moment in the past
 */
export function toMoment(reference: MomentReference, values: RequestValues, now: number): number {
  const moment = toInstant(reference, values)
  if (moment < now) throw new Error('at: must not be in the past.')
  return moment
}
