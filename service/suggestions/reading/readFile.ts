import { Refusal } from '../../operations/call.ts'
import type { ErrorLog, Reading, Slice, SuggestionLine } from '../upload.ts'
import { type Columns, columnsOf } from './columns.ts'
import { csvRows } from './csv.ts'
import { fileTypeOf } from './fileType.ts'
import type { RawRow } from './rawRow.ts'
import { readRow } from './rows.ts'
import { spreadsheetRows } from './spreadsheet.ts'

/** Rows in a slice: few enough to write them between the requests of others. */
const sliceRows = 250

/**
 * Reads a whole file: its type, its header, its rows. Of two good rows with one address the later wins.
 * @throws Refusal InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function readFile({ file, limits, pickUpPoints }: Reading): Promise<Slice[]> {
  const type = fileTypeOf(file)
  const rows = type === 'csv' ? csvRows(file.bytes) : spreadsheetRows(file.bytes, type, limits)
  const known = new Set(pickUpPoints)
  const lines = new Map<string, SuggestionLine>()
  const errorLogs: ErrorLog[] = []
  let columns: Columns | undefined
  let count = 0
  for await (const raw of rows as AsyncIterable<RawRow> | Iterable<RawRow>) {
    if (raw.cells.every(cell => cell === '')) continue
    if (columns === undefined) {
      columns = columnsOf(raw.cells, limits.columns)
      continue
    }
    if (++count > limits.rows) throw new Refusal('InvalidRequest', `The file has more than ${limits.rows} rows.`)
    const read = readRow(raw, columns, text => known.has(text))
    if ('wrong' in read) errorLogs.push({ id: raw.row, message: read.wrong })
    else keepLater(lines, errorLogs, { ...read.suggestion, row: raw.row })
  }
  if (columns === undefined) throw new Refusal('InvalidHeader', 'The file has no header.')
  errorLogs.sort((one, other) => one.id - other.id)
  return sliced([...lines.values()], errorLogs)
}

function keepLater(lines: Map<string, SuggestionLine>, errorLogs: ErrorLog[], line: SuggestionLine): void {
  const key = line.emailAddress.toLowerCase()
  const earlier = lines.get(key)
  if (earlier !== undefined) errorLogs.push({ id: earlier.row, message: `EmailAddress is that of row ${line.row} too` })
  lines.set(key, line)
}

function sliced(lines: readonly SuggestionLine[], errorLogs: readonly ErrorLog[]): Slice[] {
  const slices: Slice[] = []
  for (let at = 0; at < Math.max(lines.length, errorLogs.length); at += sliceRows) {
    slices.push({ lines: lines.slice(at, at + sliceRows), errorLogs: errorLogs.slice(at, at + sliceRows) })
  }
  return slices
}
