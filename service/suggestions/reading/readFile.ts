import { OperationError } from '../../operationError.ts'
import type { ErrorLog, ReadRequest, Slice, SuggestionLine } from '../upload.ts'
import { type Columns, locateColumns } from './columns.ts'
import { csvRows } from './csv.ts'
import { detectFileType } from './fileType.ts'
import { type RawRow, readRow } from './rows.ts'
import { spreadsheetRows } from './spreadsheet.ts'

/** Rows per slice; small enough to insert them between other requests. */
const sliceRows = 250

/**
 * Reads a file's type, header and rows. If two valid rows have the same address, the later one wins.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function readFile(bytes: Uint8Array, { name, limits, pickUpPoints }: ReadRequest): Promise<Slice[]> {
  const type = detectFileType(name, bytes)
  const rows = type === 'csv' ? csvRows(bytes) : spreadsheetRows(bytes, type, limits)
  const ownPickUpPoints = new Set(pickUpPoints)
  const lines = new Map<string, SuggestionLine>()
  const errorLogs: ErrorLog[] = []
  let columns: Columns | undefined
  let count = 0
  for await (const raw of rows as AsyncIterable<RawRow> | Iterable<RawRow>) {
    if (raw.cells.every(cell => cell === '')) continue
    if (columns === undefined) {
      columns = locateColumns(raw.cells, limits.columns)
      continue
    }
    if (++count > limits.rows)
      throw new OperationError('InvalidRequest', `The file must have at most ${limits.rows} rows.`)
    const read = readRow(raw, columns, text => ownPickUpPoints.has(text))
    if ('problems' in read) errorLogs.push({ id: raw.row, message: read.problems })
    else addLine(lines, errorLogs, { ...read.suggestion, row: raw.row })
  }
  if (columns === undefined) throw new OperationError('InvalidHeader', 'The file must have a header.')
  errorLogs.sort((a, b) => a.id - b.id)
  return toSlices([...lines.values()], errorLogs)
}

function addLine(lines: Map<string, SuggestionLine>, errorLogs: ErrorLog[], line: SuggestionLine): void {
  const key = line.emailAddress.toLowerCase()
  const earlier = lines.get(key)
  if (earlier !== undefined)
    errorLogs.push({ id: earlier.row, message: `EmailAddress must be unique; row ${line.row} repeats it.` })
  lines.set(key, line)
}

function toSlices(lines: readonly SuggestionLine[], errorLogs: readonly ErrorLog[]): Slice[] {
  const slices: Slice[] = []
  for (let at = 0; at < Math.max(lines.length, errorLogs.length); at += sliceRows) {
    slices.push({ lines: lines.slice(at, at + sliceRows), errorLogs: errorLogs.slice(at, at + sliceRows) })
  }
  return slices
}
