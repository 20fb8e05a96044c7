/** Writes one line. `suppressed` is the number of earlier lines that were left out since the last one, if there are any. */
export type WriteLine = (suppressed: number | undefined) => void

/** Writes at most one line per code and interval. */
export type LogThrottle = (code: string, write: WriteLine) => void

/** Milliseconds between two lines of one code. */
const defaultInterval = 10_000

/** Codes that are counted at the same time, since a code can contain the text of another process. The rest share one. */
const maxCodes = 100
const remainingCodes = 'remaining codes'

/**
 * The first line of a code is written at once. The newest of the later ones is written when the interval ends, with the
 * number of the others, so the end of an outage is never silent.
 * @param interval milliseconds
 */
export function createLogThrottle(interval = defaultInterval): LogThrottle {
  const waiting = new Map<string, { lines: number; newest: WriteLine | undefined }>()

  function onInterval(code: string): void {
    const entry = waiting.get(code)
    if (entry?.newest === undefined) return void waiting.delete(code)
    const { lines, newest } = entry
    Object.assign(entry, { lines: 0, newest: undefined })
    start(code)
    newest(lines > 1 ? lines - 1 : undefined)
  }

  function start(code: string): void {
    // A process that ends does not wait for its log.
    setTimeout(onInterval, interval, code).unref()
  }

  return (code, write) => {
    const counted = waiting.has(code) || waiting.size < maxCodes ? code : remainingCodes
    const entry = waiting.get(counted)
    if (entry !== undefined) {
      entry.lines++
      entry.newest = write
      return
    }
    waiting.set(counted, { lines: 0, newest: undefined })
    start(counted)
    write(undefined)
  }
}
