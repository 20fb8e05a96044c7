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
        const { operation, status, errorCode, level, ...more } = JSON.parse(line)
        if (level >= 50) failures.push(JSON.stringify(more))
        if (operation === undefined || status === undefined) return
        const codes = counted.get(operation) ?? new Map<string, number>()
        counted.set(operation, codes)
        const code = errorCode ?? (status < 300 ? 'ok' : String(status))
        codes.set(code, (codes.get(code) ?? 0) + 1)
      },
    },
    of: operation => counted.get(operation) ?? new Map(),
    failures,
  }
}

/** Prints the responses of each operation. True if no request failed, and each operation succeeded that can. */
export function isProven(answers: Answers, names: readonly string[], unreachable: readonly string[]): boolean {
  for (const failure of answers.failures) console.error(`the listener failed: ${failure}`)
  for (const name of names) {
    const codes = [...answers.of(name)].sort(([, one], [, other]) => other - one)
    console.log(`${name}: ${codes.map(([code, times]) => `${code} ${times}`).join(', ')}`)
  }
  // If no request passes validation, the run proves nothing.
  const silent = names.filter(name => !answers.of(name).has('ok') && !unreachable.includes(name))
  if (silent.length > 0) console.error(`operations without a successful response: ${silent.join(', ')}`)
  return answers.failures.length === 0 && silent.length === 0
}
