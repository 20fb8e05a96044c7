/** One line of a benchmark's result. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly ours: number
  /** Absent if the bar is an absolute figure. */
  readonly baseline?: number
  /** Ours divided by the baseline, or by the bar. */
  readonly ratio?: number
  /** The requirement in words; absent if the figure is for comparison only. */
  readonly bar?: string
  readonly met?: boolean
}

/** Renders the rows as a table of text. */
export function toTable(rows: readonly Row[]): string {
  const lines = [
    ['what', 'ours', 'baseline', 'ratio', 'bar', ''],
    ...rows.map(({ what, unit, ours, baseline, ratio, bar, met }) => [
      what,
      `${formatted(ours)} ${unit}`,
      baseline === undefined ? '' : `${formatted(baseline)} ${unit}`,
      ratio === undefined ? '' : ratio.toFixed(2),
      bar ?? '',
      met === undefined ? '' : met ? 'met' : 'NOT MET',
    ]),
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? []
  return lines.map(line => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

function formatted(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3)
}
