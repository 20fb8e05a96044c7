interface Attempts {
  running: number
  wrong: number
  /** The count of the last wrong secret. */
  counted: Promise<unknown>
}

/**
 * The result of a check. `wrong` counts a wrong secret of a client and throws, and so does `unknown` for an id that no
 * client has: no row that others have read changes, so they need not read it again.
 */
export type Checked<Result> =
  | { readonly right: Result }
  | { readonly wrong: () => Promise<never> }
  | { readonly unknown: () => Promise<never> }

/** Reads a client and checks a secret with it. */
export type Attempt = <Row, Result>(
  key: string,
  read: () => Promise<Row>,
  check: (row: Row) => Checked<Result>,
) => Promise<Result>

/**
 * Creates a function that checks secrets of one client and address against counts that include every wrong secret which
 * this process has found before. Without it, a burst of guesses would read the counts before the first one is written.
 * Right secrets do not wait for each other.
 */
export function createAttempt(): Attempt {
  const byKey = new Map<string, Attempts>()

  return async (key, read, check) => {
    const attempts = byKey.get(key) ?? { running: 0, wrong: 0, counted: Promise.resolve() }
    byKey.set(key, attempts)
    attempts.running++
    try {
      for (;;) {
        await attempts.counted.catch(() => undefined)
        const { wrong } = attempts
        const row = await read()
        if (attempts.wrong !== wrong) continue
        const checked = check(row)
        if ('right' in checked) return checked.right
        if ('unknown' in checked) return await checked.unknown()
        attempts.wrong++
        attempts.counted = checked.wrong()
        return await (attempts.counted as Promise<never>)
      }
    } finally {
      attempts.running--
      if (attempts.running === 0) byKey.delete(key)
    }
  }
}
