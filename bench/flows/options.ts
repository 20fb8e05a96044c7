import { parseArgs } from 'node:util'

/** The amount of measurements; small numbers are for a trial run. */
export interface Options {
  /** Measurements of each side. */
  readonly rounds: number
  /** Flows of a measurement under load, and the number that run at the same time. */
  readonly flows: number
  readonly concurrency: number
  /** Flows of a measurement one at a time. */
  readonly alone: number
  /** Flows that stay open while memory is measured. */
  readonly open: number
}

const standard: Options = { rounds: 12, flows: 150, concurrency: 50, alone: 10, open: 2_000 }

/**
 * Reads `npm run bench -- flows --rounds 2 --flows 20`.
 * @throws Error if an option is unknown or its value is not a whole number above zero
 */
export function readOptions(args: readonly string[]): Options {
  const names = Object.keys(standard) as (keyof Options)[]
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])),
  })
  return { ...standard, ...Object.fromEntries(Object.entries(values).map(([name, text]) => [name, count(name, text)])) }
}

/**
 * Takes `--only PART`, the first argument, out of the arguments.
 * @returns the parts that are measured, all without it
 * @throws Error if there is no such part
 */
export function takeOnly<Part extends string>(args: string[], parts: readonly Part[]): readonly Part[] {
  if (args[0] !== '--only') return parts
  const [, only] = args.splice(0, 2)
  const found = parts.filter(part => part === only)
  if (found.length === 0) throw new Error(`--only must be one of ${parts.join(', ')}.`)
  return found
}

function count(name: string, text: unknown): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} must be a whole number above zero.`)
}
