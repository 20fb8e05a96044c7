import type { DestinationStream } from 'pino'

/** Responses by operation: the number of successes, and of each error code. */
export interface Answers {
  readonly log: DestinationStream
  /** The counts of an operation by code; a success is `ok`. */
  of(operation: string): ReadonlyMap<string, number>
  /** Failures that the service logged at level error. */
  readonly failures: readonly string[]
}

/** Counts the responses of a service by its log lines. */
export function countAnswers(): Answers {
  const counted = new Map<string, Map<string, number>>()
  const failures: string[] = []
  return {
    log: {
      write(line) {
        const { operation, status, error, level, ...more } = JSON.parse(line)
        if (level >= 50) failures.push(JSON.stringify(more))
        if (operation === undefined || status === undefined) return
        const codes = counted.get(operation) ?? new Map<string, number>()
        counted.set(operation, codes)
        const code = error ?? (status === 200 ? 'ok' : String(status))
        codes.set(code, (codes.get(code) ?? 0) + 1)
      },
    },
    of: operation => counted.get(operation) ?? new Map(),
    failures,
  }
}
