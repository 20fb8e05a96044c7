import type { z } from 'zod'

/** Types by their names in zod. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

/** Sentences of zod about sizes, formats and further fields, and those of lockerflow. */
const sentences: readonly (readonly [zod: RegExp, own: string])[] = [
  [/^Too small: expected \w+ to have >=1 \w+$/, 'must not be empty'],
  [/^Too small: expected \w+ to have >=(.+)$/, 'must have at least $1'],
  [/^Too big: expected \w+ to have <=(.+)$/, 'must have at most $1'],
  [/^Too \w+: expected \w+ to have exactly (.+)$/, 'must have exactly $1'],
  [/^Too small: expected \w+ to be >=(.+)$/, 'must be at least $1'],
  [/^Too small: expected \w+ to be >(.+)$/, 'must be more than $1'],
  [/^Too big: expected \w+ to be <=(.+)$/, 'must be at most $1'],
  [/^Too big: expected \w+ to be <(.+)$/, 'must be less than $1'],
  [/^Invalid email address$/, 'must be an email address'],
  [/^Invalid URL$/, 'must be a URL'],
  [/^Unrecognized keys?: (.+)$/, 'must not have $1'],
]

/** Describes one problem, beginning with the field. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )
  const field = path === '' ? 'The body' : path
  const isTypeIssue = /^invalid_(type|union|value)$/.test(issue.code)
  if (isTypeIssue && field !== 'The body' && valueAt(value, issue.path) == null) return `${field} is missing`
  return `${field}: ${describeProblem(issue)}`
}

/**
 * Describes one problem without its field. A field with several variants has the problem of the last one: the others are the
 * empty text and null.
 */
export function describeProblem(issue: z.core.$ZodIssue): string {
  const variant = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined
  return variant === undefined ? toMust(issue.message) : describeProblem(variant)
}

/** Rewrites a sentence of zod. The sentences of the schemas stay. */
export function toMust(message: string): string {
  const [, wanted] = /^Invalid (?:input|option): expected (.*?)(?:, received .*)?$/.exec(message) ?? []
  if (wanted !== undefined) return `must be ${typeNames[wanted] ?? wanted.replaceAll('|', ', ')}`
  const [zod, own] = sentences.find(([pattern]) => pattern.test(message)) ?? []
  return zod === undefined || own === undefined ? message : message.replace(zod, own)
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (below, part) => (below as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[part],
    value,
  )
}
