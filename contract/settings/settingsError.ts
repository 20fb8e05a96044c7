import { errorReference } from '#contract/terms'

/** A setting that is missing or wrong. */
export interface Problem {
  /** The name of the variable. */
  readonly name: string
  /** For instance `must be a port`, without a full stop. */
  readonly wrong: string
  /** A value that the variable may have. */
  readonly example: string
}

/** Invalid settings. The message has a line per variable with its name, the problem and an example. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    const lines = problems.map(({ name, wrong, example }) => `${name}: ${wrong}. Example: ${name}=${example}`)
    super([...new Set(lines), errorReference('InvalidSettings')].join('\n'))
    this.problems = problems
  }
}

/**
 * Calls every reader, so that one error contains the problems of all of them.
 * @throws SettingsError
 */
export function readTogether<Parts extends object>(
  readers: { readonly [Name in keyof Parts]: () => Parts[Name] },
): Parts {
  const problems: Problem[] = []
  const parts = Object.entries<() => unknown>(readers).map(([name, read]) => {
    try {
      return [name, read()]
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      problems.push(...error.problems)
      return [name, undefined]
    }
  })
  if (problems.length > 0) throw new SettingsError(...problems)
  return Object.fromEntries(parts) as Parts
}
