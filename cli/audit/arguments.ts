import { readTime } from '#contract/terms'
import { parseDuration } from '#flows'
import type { AuditFilter } from '#service'
import { createCommandLine } from '../commandLine.ts'

const usage = 'npm run audit -- export [--tenant <name>] [--since <time>] [--until <time>]'

const { parse, usageError } = createCommandLine(usage, {
  tenant: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
})

/**
 * Reads the command line. A time is a moment such as 2026-11-21T10:00:00Z, a date, or an age such as 30d.
 * @param now milliseconds since 1970
 * @throws Error with the usage
 */
export function readArguments(args: readonly string[], now: number): AuditFilter {
  const { values, positionals } = parse(args)
  const [action, ...others] = positionals
  if (action !== 'export' || others.length > 0) throw usageError('The action must be export.')
  const { tenant: tenantId } = values
  return { tenantId, since: toMoment('--since', values.since, now), until: toMoment('--until', values.until, now) }
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
