import { readTime } from '#contract/terms'
import { parseDuration } from '#flows'
import type { AuditFilter } from '#service'
import { misuse } from '../command/failure.ts'
import { type Given, isGiven, requireDuration, textOf } from '../command/values.ts'

/** Milliseconds before now from which decisions are collected by default. */
const defaultAge = 7 * 86_400_000

/**
 * Reads the words after `audit export`. A time is a moment such as 2026-11-21T10:00:00Z, a date, or an age such as 30d.
 * @param now milliseconds since 1970
 * @throws CommandFailure
 */
export function readFilter(given: Given, now: number): AuditFilter {
  const since = toMoment('--since', textOf(given, 'since'), now)
  return { tenantId: textOf(given, 'tenant'), since, until: toMoment('--until', textOf(given, 'until'), now) }
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
  const since = toMoment('--since', textOf(given, 'since'), now) ?? now - defaultAge
  const every = textOf(given, 'every')
  const interval = every === undefined ? undefined : requireDuration('--every', every)
  const isLast = isGiven(given, 'end')
  if (isLast && interval !== undefined) throw misuse('--end: must not be given together with --every.')
  return { tenantId: textOf(given, 'tenant') ?? '', since, interval, isLast }
}

function toMoment(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const age = parseDuration(text)
  // A date without a time begins at midnight in UTC.
  const moment = age === undefined ? readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text) : now - age
  if (moment !== undefined) return moment
  throw misuse(
    `${option}: must be a moment such as 2026-11-21T10:00:00Z, a date, or an age such as 30d, and is "${text}".`,
  )
}
