import { type ErrorLog, maxErrorLogs } from '../upload.ts'

/** The refused rows of a file: all are counted, and the first ones are listed. The last of these names the number of the others. */
export interface Refusals {
  /** @param row the number in the file, the header being row 1 */
  add(row: number, message: string): void
  end(): { readonly count: number; readonly logs: readonly ErrorLog[] }
}

export function createRefusals(): Refusals {
  let count = 0
  let logs: ErrorLog[] = []
  // A row that a later one replaces is refused late, so the order is that of the file only after sorting.
  const cut = () => {
    logs = logs.sort((one, other) => one.id - other.id).slice(0, maxErrorLogs)
  }
  return {
    add(id, message) {
      count++
      if (logs.push({ id, message }) >= 2 * maxErrorLogs) cut()
    },
    end() {
      cut()
      const unlisted = count - logs.length
      const last = logs.at(-1)
      if (unlisted === 0 || last === undefined) return { count, logs }
      const message = `${last.message} ${unlisted} more rows were refused, which errorLogs does not list.`
      return { count, logs: logs.with(-1, { id: last.id, message }) }
    },
  }
}
