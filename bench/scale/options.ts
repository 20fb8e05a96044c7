import { parseArgs } from 'node:util'

export interface ScaleOptions {
  /** Measurements of each number of processes, in turns. */
  readonly rounds: number
  readonly milliseconds: number
  /** Flows of a measurement. */
  readonly flows: number
}

/** Reads `npm run bench -- scale --rounds 1 --flows 60`. */
export function readScaleOptions(args: readonly string[]): ScaleOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      milliseconds: { type: 'string', default: '4000' },
      flows: { type: 'string', default: '150' },
    },
    strict: false,
  })
  const number = (value: unknown) => Math.max(1, Math.round(Number(value)))
  return { rounds: number(values.rounds), milliseconds: number(values.milliseconds), flows: number(values.flows) }
}
