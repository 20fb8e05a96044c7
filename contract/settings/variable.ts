import type { z } from 'zod'
import { errorReference } from '#contract/terms'

/** One environment variable, with its validation and documentation. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly example: string
  /** Parses the text of the variable, or undefined if it is not set. */
  readonly schema: Schema
}

/** An invalid setting. The message names the variable, the problem and an example. */
export class SettingsError extends Error {
  constructor(name: string, { example }: Variable, wrong: string) {
    super(`${name}: ${wrong}. Example: ${name}=${example}\n${errorReference('InvalidSettings')}`)
    this.name = 'SettingsError'
  }
}

export type Values<Declared extends Record<string, Variable>> = {
  readonly [Name in keyof Declared]: z.output<Declared[Name]['schema']>
}

/** Removes empty variables, which count as unset. */
export function withoutEmpty(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => Boolean(entry[1])
  return Object.fromEntries(Object.entries(source).filter(isSet))
}

/**
 * Reads variables from an environment; empty ones count as unset.
 * @throws SettingsError
 */
export function readVariables<Declared extends Record<string, Variable>>(
  source: Readonly<Record<string, string | undefined>>,
  declared: Declared,
): Values<Declared> {
  const values = Object.entries(declared).map(([name, variable]) => {
    const text = source[name] === '' ? undefined : source[name]
    const parsed = variable.schema.safeParse(text)
    if (parsed.success) return [name, parsed.data]
    const problem = text === undefined ? 'is missing' : (parsed.error.issues[0]?.message ?? 'is not valid')
    throw new SettingsError(name, variable, problem)
  })
  return Object.fromEntries(values) as Values<Declared>
}
