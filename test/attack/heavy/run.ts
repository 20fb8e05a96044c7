import { appendFile, readFile } from 'node:fs/promises'
import { gatewayLoads, serviceLoads } from './loads.ts'
import { measureRow, type Row, type SiteName } from './row.ts'
import { toTable } from './table.ts'
import { verdictOf } from './verdict.ts'

export interface FairnessRunOptions {
  /** Only rows whose `site, load` match. */
  readonly only?: string | undefined
  /** A file that gets each measured row as a line of JSON. Rows of it that hold are not measured again. */
  readonly record?: string | undefined
  /** Length of each load. */
  readonly seconds: number
  readonly measure?: typeof measureRow
  readonly print?: (text: string) => void
}

const loadsOf: Readonly<Record<SiteName, object>> = {
  embedded: serviceLoads,
  postgres: serviceLoads,
  gateway: gatewayLoads,
}

/**
 * Measures the fairness between two tenants for each site and load, one row after the other, and prints a table.
 * @returns true if each row holds
 */
export async function measureFairness(options: FairnessRunOptions): Promise<boolean> {
  const { only = '', record, seconds, measure = measureRow, print = console.log } = options
  const startedAt = performance.now()
  const pattern = new RegExp(only)
  const all = Object.entries(loadsOf).flatMap(([site, loads]) =>
    Object.keys(loads).map(load => ({ site: site as SiteName, load, seconds })),
  )
  const asked = all.filter(({ site, load }) => pattern.test(`${site}, ${load}`))
  if (asked.length === 0) throw new Error(`--only ${only} matches no row.`)
  const recorded = record === undefined ? [] : await readRows(record)
  const known = recorded.filter(row => verdictOf(row, recorded) === 'held')
  const rows: Row[] = []
  for (const name of asked) {
    const earlier = known.findLast(row => row.site === name.site && row.load === name.load && row.seconds === seconds)
    const row: Row = earlier ?? (await measure(name).catch(error => ({ ...name, error: String(error) })))
    rows.push(row)
    if (earlier !== undefined) continue
    if (record !== undefined) await appendFile(record, `${JSON.stringify(row)}\n`)
    print(toTable([row], rows))
  }
  print(`\n${toTable(rows)}`)
  print(`${rows.length} rows, ${seconds} s each, in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  return rows.every(row => verdictOf(row, rows) === 'held')
}

async function readRows(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Row)
}
