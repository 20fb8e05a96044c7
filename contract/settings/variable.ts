import type { z } from 'zod'

/** One environment variable, declared once: what reads it, explains it and checks it are made from this. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly meaning: string
  readonly example: string
  /** Reads the text of the variable; undefined means that it is not set. */
  readonly schema: Schema
}

/** Settings that a process cannot start with: one message that names the variable, what is wrong and an example. */
export class SettingsFault extends Error {
  constructor(name: string, { example }: Variable, wrong: string) {
    super(`${name}: ${wrong}. Example: ${name}=${example}`)
    this.name = 'SettingsFault'
  }
}

export type Values<Declared extends Record<string, Variable>> = {
  readonly [Name in keyof Declared]: z.output<Declared[Name]['schema']>
}

/** The variables of an environment that are set; an empty one is not. */
export function present(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isSet = (entry: [string, string | undefined]): entry is [string, string] => Boolean(entry[1])
  return Object.fromEntries(Object.entries(source).filter(isSet))
}

/** Reads variables from an environment; an empty one counts as not set. Throws a SettingsFault. */
export function readVariables<Declared extends Record<string, Variable>>(
  source: Readonly<Record<string, string | undefined>>,
  declared: Declared,
): Values<Declared> {
  const values = Object.entries(declared).map(([name, variable]) => {
    const given = source[name] === '' ? undefined : source[name]
    const parsed = variable.schema.safeParse(given)
    if (parsed.success) return [name, parsed.data]
    const wrong = given === undefined ? 'is missing' : (parsed.error.issues[0]?.message ?? 'is not valid')
    throw new SettingsFault(name, variable, wrong)
  })
  return Object.fromEntries(values) as Values<Declared>
}
