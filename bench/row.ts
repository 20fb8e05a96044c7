/** One line of a benchmark's result. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly ours: number
  /** Left out where the bar is a figure of its own. */
  readonly baseline?: number
  /** Ours by the baseline, or ours by the bar. */
  readonly ratio?: number
  /** What it has to be, as a sentence; left out where the figure is there to compare. */
  readonly bar?: string
  readonly met?: boolean
}

/** The rows as a table for a person. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['what', 'ours', 'baseline', 'ratio', 'bar', ''],
    ...rows.map(({ what, unit, ours, baseline, ratio, bar, met }) => [
      what,
      `${shown(ours)} ${unit}`,
      baseline === undefined ? '' : `${shown(baseline)} ${unit}`,
      ratio === undefined ? '' : ratio.toFixed(2),
      bar ?? '',
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ]),
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? []
  return lines.map(line => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

function shown(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toPrecision(3)
}
