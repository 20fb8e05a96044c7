import type { z } from 'zod'

/** One environment variable, with its validation and documentation. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly example: string
  /** Parses the text of the variable, or undefined if it is not set. */
  readonly schema: Schema
  /** Stands for an unset variable in staging. Production requires the variable. */
  readonly staging?: string
  /** Rules of production beside the schema. `problem` describes what is wrong with a text. */
  readonly production?: {
    readonly required?: true
    readonly problem?: (text: string) => string | undefined
  }
  /** May come from the file that the variable's name with `_FILE` names. Production refuses values that are public. */
  readonly secret?: true
}

export type Values<Declared extends Record<string, Variable>> = {
  readonly [Name in keyof Declared]: z.output<Declared[Name]['schema']>
}

/** The environment of a process: texts by name. */
export type Source = Readonly<Record<string, string | undefined>>

/** Removes empty variables, which count as unset. */
export function withoutEmpty(source: Source): Record<string, string> {
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => Boolean(entry[1])
  return Object.fromEntries(Object.entries(source).filter(isSet))
}

/** True if a variable has a value, or names the file with it. The value may be wrong. */
export function isGiven(source: Source, name: string): boolean {
  return Boolean(source[name] || source[`${name}_FILE`])
}

/** Production must be said: without LOCKERFLOW_ENVIRONMENT a process is in staging, on loopback only (D-161). */
export function isProduction(source: Source): boolean {
  return source.LOCKERFLOW_ENVIRONMENT === 'production'
}
