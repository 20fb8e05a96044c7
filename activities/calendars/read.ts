import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { z } from 'zod'
import { LinesError } from '#contract/terms'
import { type Calendars, calendarsSchema } from './shape.ts'

/**
 * Reads a calendar file in YAML, of which JSON is a subset.
 * @param setting that names the file
 * @throws Error with a line for each invalid field, which begins with the setting and the file
 */
export function readCalendars(path: string, setting = 'LOCKERFLOW_CALENDARS'): Calendars {
  const value = parseFile(path, setting)
  const read = calendarsSchema.safeParse(value)
  if (read.success) return read.data
  const problems = read.error.issues.flatMap(issue => describe(issue))
  throw new LinesError(problems.map(problem => `${setting}: ${path}: ${problem}`))
}

function parseFile(path: string, setting: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`${setting}: must be a file in YAML or JSON, ${path} is not: ${reason}`)
  }
}

function describe(issue: z.core.$ZodIssue): string[] {
  const at = (key?: string) => [...issue.path, ...(key === undefined ? [] : [key])].join('.') || 'the file'
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => `${at(key)}: is not a field of calendars.`)
  if (issue.code === 'invalid_key') return [`${at()}: ${issue.issues[0]?.message ?? issue.message}.`]
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid')) {
    return [
      `${at()}: ${issue.message.endsWith('undefined') ? 'must be given' : `must be of the type ${issue.expected}`}.`,
    ]
  }
  return [`${at()}: ${issue.message}.`]
}
