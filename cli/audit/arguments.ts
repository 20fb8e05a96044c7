import { readTime } from '#contract/terms'
import { parseDuration } from '#flows'
import type { AuditFilter } from '#service'
import { createCommandLine } from '../commandLine.ts'

const usage =
  'npm run audit -- export [--tenant <name>] [--since <time>] [--until <time>] | collect --tenant <name> [--since <time>]'

const { parse, usageError } = createCommandLine(usage, {
  tenant: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
})

export type AuditArguments =
  | { readonly act: 'export'; readonly filter: AuditFilter }
  /** Copies the decisions about flows that ran since this moment, in milliseconds since 1970. */
  | { readonly act: 'collect'; readonly tenantId: string; readonly since: number }

/** Milliseconds before now from which decisions are collected by default. */
const defaultAge = 7 * 86_400_000

/**
 * Reads the command line. A time is a moment such as 2026-11-21T10:00:00Z, a date, or an age such as 30d.
 * @param now milliseconds since 1970
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[], now: number): AuditArguments {
  const { values, positionals } = parse(args)
  const [action, ...others] = positionals
  if ((action !== 'export' && action !== 'collect') || others.length > 0)
    throw usageError('The action must be export or collect.')
  const { tenant: tenantId } = values
  const since = toMoment('--since', values.since, now)
  const until = toMoment('--until', values.until, now)
  if (action === 'export') return { act: 'export', filter: { tenantId, since, until } }
  if (tenantId === undefined) throw usageError('--tenant: must name the tenant of the flows.')
  if (until !== undefined) throw usageError('--until: must not be combined with collect.')
  return { act: 'collect', tenantId, since: since ?? now - defaultAge }
}

function toMoment(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const age = parseDuration(text)
  // A date without a time begins at midnight in UTC.
  const moment = age === undefined ? readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text) : now - age
  if (moment !== undefined) return moment
  throw usageError(
    `${option}: must be a moment such as 2026-11-21T10:00:00Z, a date, or an age such as 30d, and is "${text}".`,
  )
}
