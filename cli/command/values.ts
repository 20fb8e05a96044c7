import { access, constants } from 'node:fs/promises'
import { parseDuration } from '#flows'
import { misuse } from './failure.ts'
import type { VerbCall } from './verb.ts'

/** The words of a command line. */
export type Given = Pick<VerbCall, 'values' | 'options'>

/** The text of an option, undefined without it. */
export function textOf({ options }: Given, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** True if an option without a value is given. */
export function isGiven({ options }: Given, name: string): boolean {
  return options[name] === true
}

/** The texts of an option that may be given several times. */
export function textsOf({ options }: Given, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/**
 * Reads a duration such as `30m`, in milliseconds.
 * @param option begins the error
 * @throws CommandFailure
 */
export function requireDuration(option: string, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined) throw misuse(`${option}: must be a duration such as 30m, 1h or 90d, and is "${text}".`)
  return duration
}

/**
 * Checks that a file or folder of a command line can be read.
 * @param argument begins the error
 * @throws CommandFailure
 */
export async function requireReadable(argument: string, path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: Error) => {
    throw misuse(`${argument}: must be a file that can be read, and "${path}" is not: ${error.message}.`)
  })
}
