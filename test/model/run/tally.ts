import { type OperationName, operations } from '#contract'
import type { ErrorCode } from '#contract/terms'

const names = Object.keys(operations) as OperationName[]

/** Counts the outcomes of each operation. */
export class Tally {
  readonly #outcomes = new Map<OperationName, Map<ErrorCode | 'success', number>>()
  steps = 0
  /** The number of steps at the first failure; later steps belong to shrinking. */
  failedAt: number | undefined

  count(operation: OperationName, error: ErrorCode | null): void {
    const outcomes = this.#outcomes.get(operation) ?? new Map()
    this.#outcomes.set(operation, outcomes)
    outcomes.set(error ?? 'success', (outcomes.get(error ?? 'success') ?? 0) + 1)
    this.steps += 1
  }

  successes(operation: OperationName): number {
    return this.#outcomes.get(operation)?.get('success') ?? 0
  }

  /** Operations that have not succeeded yet. */
  neverDone(): OperationName[] {
    return names.filter(name => this.successes(name) === 0)
  }

  /** Declared refusals that no step has met yet. */
  neverRefused(): string[] {
    return names.flatMap(name =>
      operations[name].errors.filter(error => !this.#outcomes.get(name)?.has(error)).map(error => `${name} ${error}`),
    )
  }

  /** One line for each operation with successes and steps, and the refusals that no step has met. */
  report(): string {
    const lines = names.map(name => {
      const all = [...(this.#outcomes.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
      return `${String(this.successes(name)).padStart(6)} of ${String(all).padStart(5)}  ${name}`
    })
    return [...lines, `refusals not met: ${this.neverRefused().join(', ') || 'none'}`].join('\n')
  }
}
