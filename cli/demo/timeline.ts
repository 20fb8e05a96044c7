/** One thing that happened in the demonstration. */
export interface Happening {
  readonly caseNo: string
  readonly what: string
  /** Milliseconds that it took, when that says something. */
  readonly took?: number
}

export interface Timeline {
  tell(happening: Happening): void
}

/** Prints what happens, a line each, with the seconds since the first. */
export function createTimeline(print: (line: string) => void): Timeline {
  let first: number | undefined
  return {
    tell({ caseNo, what, took }) {
      const now = performance.now()
      first ??= now
      const at = `${((now - first) / 1_000).toFixed(2)} s`.padStart(8)
      const lasted = took === undefined ? '' : `  (${duration(took)})`
      print(`${at}  ${caseNo.padEnd(8)} ${what}${lasted}`)
    },
  }
}

export function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}
