import { access, constants, stat } from 'node:fs/promises'
import { readTime } from '#contract/terms'
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
  if (duration === undefined)
    throw misuse(`${option}: must be a duration such as 30m, 1h or 90d, at most 3650d, got "${text}".`)
  return duration
}

/**
 * Reads an instant such as `2026-11-21T10:00:00Z`, a date, which begins at midnight in UTC, or an age such as `30d`.
 * @param option begins the error
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970; undefined without a text
 * @throws CommandFailure
 */
export function readMoment(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const age = parseDuration(text)
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(T.+)?$/.exec(text) ?? []
  // A number without a unit must not become a year.
  const stated = date === undefined ? undefined : readTime(`${date}${time ?? 'T00:00:00Z'}`)
  const moment = age === undefined ? stated : now - age
  if (moment !== undefined) return moment
  throw misuse(`${option}: must be a time such as 2026-11-21T10:00:00Z, a date, or an age such as 30d, got "${text}".`)
}

/**
 * Checks that a file of a command line can be read.
 * @param argument begins the error
 * @throws CommandFailure, including for a folder
 */
export async function requireFile(argument: string, path: string): Promise<void> {
  await requireReadable(argument, path)
  if ((await stat(path)).isDirectory()) throw misuse(`${argument}: must be a file, but "${path}" is a folder.`)
}

/**
 * Checks that a file or folder of a command line can be read.
 * @param argument begins the error
 * @throws CommandFailure
 */
export async function requireReadable(argument: string, path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: Error) => {
    throw misuse(`${argument}: must be a file that can be read, but "${path}" is not: ${error.message}.`)
  })
}
