import { mustBeDuration, parseDuration } from '#flows'
import { misuse } from '../command/failure.ts'

/**
 * Reads an option that is a duration, in milliseconds.
 * @throws CommandFailure that names the option
 */
export function readDuration(option: string, given: unknown): number | undefined {
  if (given === undefined) return undefined
  const length = typeof given === 'string' ? parseDuration(given) : undefined
  if (length === undefined) throw misuse(`${option}: ${mustBeDuration}, got "${given}".`)
  return length
}

/** An options object with a timeout, if one is given. */
export function timeoutOf({ timeout }: Readonly<Record<string, unknown>>): { readonly timeout?: number } {
  const length = readDuration('--timeout', timeout)
  return length === undefined ? {} : { timeout: length }
}
