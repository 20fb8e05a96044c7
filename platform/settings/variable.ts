import { z } from 'zod'
import type { FindSecrets } from './weakSecrets.ts'

/** One environment variable, with its validation and documentation. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly example: string
  /** Parses the text of the variable, or undefined if it is not set. */
  readonly schema: Schema
  /** Stands for an unset variable in staging. Production requires the variable. */
  readonly staging?: string
  /** Rules of production besides the schema. `problem` describes what is wrong with a text. */
  readonly production?: {
    readonly required?: true
    readonly problem?: (text: string) => string | undefined
  }
  /**
   * May come from the file that the variable's name with `_FILE` names. Production refuses public and weak secrets: the text, or
   * those that a function finds in it.
   */
  readonly secret?: true | FindSecrets
  /** Other variables that must be given if this one is. `wrong` describes one that is missing. */
  readonly needs?: { readonly names: readonly string[]; readonly wrong: (given: string) => string }
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

/** The settings that are not undefined. */
export function withoutUndefined<Settings extends object>(settings: Settings): Defined<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Defined<Settings>
}

type Defined<Settings> = { [Name in keyof Settings]?: Exclude<Settings[Name], undefined> }

/** True if a variable has a value, or names the file with it. The value may be wrong. */
export function isGiven(source: Source, name: string): boolean {
  return Boolean(source[name] || source[`${name}_FILE`])
}

/** Production must be named: without LOCKERFLOW_ENVIRONMENT a process is in staging, on loopback only. */
export function isProduction(source: Source): boolean {
  return source.LOCKERFLOW_ENVIRONMENT === 'production'
}

/**
 * A whole number in decimal digits, as a variable's schema.
 * @param wrong the error; by default it names the range
 */
export function wholeNumber({
  from,
  to,
  wrong = `must be a whole number from ${from} to ${to}`,
}: {
  readonly from: number
  readonly to: number
  readonly wrong?: string
}) {
  return z
    .string()
    .regex(/^\d{1,9}$/, wrong)
    .transform(Number)
    .refine(value => value >= from && value <= to, wrong)
}

/**
 * The port of a listener.
 * @param from 0 if the process may choose a free one
 */
export function port(from: 0 | 1) {
  return wholeNumber({ from, to: 65_535, wrong: `must be a port from ${from} to 65535` })
}
