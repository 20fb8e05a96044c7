import type { BulkHead, BulkLine, SelectedCase } from './journal.ts'

export interface BulkCounts {
  readonly cases: number
  /** Results of this process and of earlier ones. */
  readonly done: number
  readonly refused: number
  /** The flow or Temporal did not respond: a resumption sends the update again. */
  readonly open: number
}

const refusals: readonly string[] = ['Refused', 'UnknownCase']
/** Results that a repetition would not change. */
const settled: readonly string[] = ['Decided', 'Cancelled', ...refusals]

/** The cases of a bulk that are settled. */
export class Tally {
  readonly #cases: readonly SelectedCase[]
  readonly #settled = new Set<string>()
  #refused = 0

  constructor({ cases }: BulkHead, lines: readonly BulkLine[]) {
    this.#cases = cases
    for (const line of lines) this.add(line)
  }

  /** Counts the result of a case. False for one that a repetition can change. */
  add({ caseNo, result }: Pick<BulkLine, 'caseNo' | 'result'>): boolean {
    if (!settled.includes(result)) return false
    if (!this.#settled.has(caseNo) && refusals.includes(result)) this.#refused += 1
    this.#settled.add(caseNo)
    return true
  }

  get missing(): readonly SelectedCase[] {
    return this.#cases.filter(({ caseNo }) => !this.#settled.has(caseNo))
  }

  get counts(): BulkCounts {
    const [cases, settledCases, refused] = [this.#cases.length, this.#settled.size, this.#refused]
    return { cases, done: settledCases - refused, refused, open: cases - settledCases }
  }
}
