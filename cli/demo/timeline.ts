/** One line of the demonstration. */
export interface TimelineEntry {
  readonly caseNo: string
  readonly text: string
  /** Printed at the end of the line. */
  readonly durationMs?: number
}

export interface Timeline {
  add(entry: TimelineEntry): void
}

/** Prints an entry per line, with the seconds since the first one. */
export function createTimeline(print: (line: string) => void): Timeline {
  let first: number | undefined
  return {
    add({ caseNo, text, durationMs }) {
      const now = performance.now()
      first ??= now
      const at = `${((now - first) / 1_000).toFixed(2)} s`.padStart(8)
      const duration = durationMs === undefined ? '' : `  (${formatDuration(durationMs)})`
      print(`${at}  ${caseNo.padEnd(8)} ${text}${duration}`)
    },
  }
}

/** Formats milliseconds; from a second on, as seconds with one decimal. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}
