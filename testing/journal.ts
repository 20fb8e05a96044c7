import { setTimeout as delay } from 'node:timers/promises'

/** Everything of one kind that happened, in its order. */
export interface Journal<Entry> {
  readonly entries: readonly Entry[]
  /** The entries of one case. */
  of(caseNo: string): readonly Entry[]
  /**
   * Returns the first entry that matches and that `next` has not returned before, and waits for it.
   * @param timeout in milliseconds, twenty seconds by default
   * @throws Error that lists the newest entries, when the timeout has passed
   */
  next(matches?: (entry: Entry) => boolean, timeout?: number): Promise<Entry>
  clear(): void
}

export interface WritableJournal<Entry> extends Journal<Entry> {
  add(entry: Entry): void
}

const defaultTimeout = 20_000
/** Entries that an error lists. */
const listed = 10

/** @param name of an entry in errors, such as `callback` */
export function createJournal<Entry extends { readonly caseNo: string | null }>(name: string): WritableJournal<Entry> {
  const entries: Entry[] = []
  const taken = new Set<Entry>()
  const waiting = new Set<() => void>()

  return {
    entries,
    of: caseNo => entries.filter(entry => entry.caseNo === caseNo),
    async next(matches = () => true, timeout = defaultTimeout) {
      const timer = new AbortController()
      const timedOut = delay(timeout, 'timedOut' as const, { signal: timer.signal }).catch(() => 'found' as const)
      try {
        for (;;) {
          const found = entries.find(entry => !taken.has(entry) && matches(entry))
          if (found !== undefined) {
            taken.add(found)
            return found
          }
          const added = new Promise<'added'>(resolve => waiting.add(() => resolve('added')))
          if ((await Promise.race([added, timedOut])) !== 'added') throw missing(name, timeout, entries)
        }
      } finally {
        timer.abort()
      }
    },
    add(entry) {
      entries.push(entry)
      const wake = [...waiting]
      waiting.clear()
      for (const go of wake) go()
    },
    clear() {
      entries.length = 0
      taken.clear()
    },
  }
}

function missing(name: string, timeout: number, entries: readonly unknown[]): Error {
  const lines = entries.slice(-listed).map(entry => `  ${JSON.stringify(entry)}`)
  const found = lines.length === 0 ? `There is no ${name}.` : `The last ones are:\n${lines.join('\n')}`
  return new Error(`No further ${name} matched within ${timeout / 1_000} s. ${found}`)
}
