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
 * Takes `--only PART` out of the arguments.
 * @returns the parts that are measured, all without it
 * @throws Error if there is no such part
 */
export function takeOnly<Part extends string>(args: string[], parts: readonly Part[]): readonly Part[] {
  const only = takeChoice(args, 'only', parts)
  return only === undefined ? parts : [only]
}

/**
 * Takes an option and its value out of the arguments.
 * @returns undefined without the option
 * @throws Error if the value is not one of the choices
 */
export function takeChoice<Choice extends string>(
  args: string[],
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const at = args.indexOf(`--${name}`)
  if (at === -1) return undefined
  const [, given] = args.splice(at, 2)
  const chosen = choices.find(choice => choice === given)
  if (chosen === undefined) throw new Error(`--${name} must be one of ${choices.join(', ')}.`)
  return chosen
}

function count(name: string, text: unknown): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} must be a whole number above zero.`)
}
