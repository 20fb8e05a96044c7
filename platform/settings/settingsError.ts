import { errorReference, LinesError, linesOfError } from '#contract/terms'

/** A setting that is missing or wrong. */
export interface Problem {
  /** The name of the variable. */
  readonly name: string
  /** For instance `must be a port`, without a full stop. */
  readonly wrong: string
  /** A value that the variable may have. Absent for a fault inside of the file that it names. */
  readonly example?: string
}

/** Invalid settings. The message has a line per variable with its name, the problem and an example. */
export class SettingsError extends LinesError {
  override readonly name = 'SettingsError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    const byLine = new Map(problems.map(problem => [describe(problem), problem]))
    super([...byLine.keys(), errorReference('InvalidSettings')])
    this.problems = [...byLine.values()]
  }
}

function describe({ name, wrong, example }: Problem): string {
  return `${name}: ${wrong}.${example === undefined ? '' : ` Example: ${name}=${example}`}`
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

/**
 * Calls readers that load files, and throws all their problems together.
 * @throws SettingsError
 */
export async function loadTogether<Parts extends object>(
  readers: { readonly [Name in keyof Parts]: () => Parts[Name] | Promise<Parts[Name]> },
): Promise<Parts> {
  const entries = Object.entries<() => unknown>(readers)
  const settled = await Promise.allSettled(entries.map(async ([, read]) => read()))
  const results = entries.map(([name], index) => [name, () => resultOf(settled[index])])
  return readTogether(Object.fromEntries(results))
}

function resultOf(settled: PromiseSettledResult<unknown> | undefined): unknown {
  if (settled?.status === 'rejected') throw settled.reason
  return settled?.value
}

/**
 * Loads a file that a variable names.
 * @throws SettingsError with a problem for each line of the loader's error. A line may begin with the variable
 */
export async function loadFile<Content>(name: string, load: () => Content | Promise<Content>): Promise<Content> {
  try {
    return await load()
  } catch (error) {
    const faults = linesOfError(error).map(line => line.replace(`${name}: `, '').replace(/\.$/, ''))
    throw new SettingsError(...faults.map(wrong => ({ name, wrong })))
  }
}
