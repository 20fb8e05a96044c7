import type { AuditFilter } from '#service'
import { misuse } from '../command/failure.ts'
import { type Given, isGiven, readMoment, requireDuration, textOf } from '../command/values.ts'

/** Milliseconds before now from which decisions are collected by default. */
const defaultAge = 7 * 86_400_000

/**
 * Reads the words after `audit export`. A time is an instant such as 2026-11-21T10:00:00Z, a date, or an age such as 30d.
 * @param now milliseconds since 1970
 * @throws CommandFailure
 */
export function readFilter(given: Given, now: number): AuditFilter {
  const since = readMoment('--since', textOf(given, 'since'), now)
  const until = readMoment('--until', textOf(given, 'until'), now)
  if (since !== undefined && until !== undefined && since >= until) throw misuse('--until: must be later than --since.')
  return { tenantId: textOf(given, 'tenant'), since, until }
}

export interface Collection {
  readonly tenantId: string
  /** Milliseconds since 1970. */
  readonly since: number
  /** Milliseconds between two passes; undefined for one pass. */
  readonly interval: number | undefined
  /** True if no further pass is expected after this one. */
  readonly isLast: boolean
}

/**
 * Reads the words after `audit collect`, which copies the decisions about flows that ran since a moment.
 * @throws CommandFailure
 */
export function readCollection(given: Given, now: number): Collection {
  const since = readMoment('--since', textOf(given, 'since'), now) ?? now - defaultAge
  const every = textOf(given, 'every')
  const interval = every === undefined ? undefined : requireDuration('--every', every)
  const isLast = isGiven(given, 'end')
  if (isLast && interval !== undefined) throw misuse('--end: must not be given together with --every.')
  return { tenantId: textOf(given, 'tenant') ?? '', since, interval, isLast }
}
