import type { LockersOptions, ServiceOptions } from './types.ts'

/** The options of `startService`. */
export const serviceOptions = { topology: true } as const satisfies Record<keyof ServiceOptions, true>

/** The options of `startLockers`. */
export const lockersOptions = {
  ...serviceOptions,
  ...{ flows: true, activities: true, calendars: true, temporal: true, bundle: true, progress: true },
} as const satisfies Record<keyof LockersOptions, true>

/**
 * JavaScript has no types that find a misspelled option, and its default would be used.
 * @throws Error that names the option
 */
export function requireKnown(options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find(name => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new Error(`${unknown}: must be one of the options ${Object.keys(known).join(', ')}.`)
}
