import { parseArgs } from 'node:util'

/** How much is measured; smaller numbers try it out. */
export interface Options {
  /** Turns of each side. */
  readonly rounds: number
  /** Flows of a turn, and how many of them are under way at once. */
  readonly flows: number
  readonly concurrency: number
  /** Flows of a turn in which one follows the other. */
  readonly alone: number
  /** Flows that are held open when memory is measured. */
  readonly open: number
}

const standard: Options = { rounds: 12, flows: 150, concurrency: 50, alone: 10, open: 2_000 }

/** From `npm run bench -- flows --rounds 2 --flows 20`. Throws when an argument is none, or no number above zero. */
export function readOptions(args: readonly string[]): Options {
  const names = Object.keys(standard) as (keyof Options)[]
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])),
  })
  return { ...standard, ...Object.fromEntries(Object.entries(values).map(([name, text]) => [name, count(name, text)])) }
}

function count(name: string, text: unknown): number {
  const given = Number(text)
  if (Number.isInteger(given) && given > 0) return given
  throw new Error(`bench: --${name} has to be a number above zero`)
}
