import type { Suggestion } from '#contract/suggestion'
import { OperationError } from '../../operationError.ts'
import type { ErrorLog, ReadRequest, Slice, SuggestionLine, UploadLimits } from '../upload.ts'
import { splitWords, toSearchKey } from '../words.ts'
import { type Columns, locateColumns } from './columns.ts'
import { csvRows } from './csv.ts'
import { detectFileType } from './fileType.ts'
import { type RawRow, readRow } from './rows.ts'

/** Rows and words per slice; few enough to insert them between other requests. */
const [sliceRows, sliceWords] = [125, 1_250]

/** An accepted row and its number in the file, the header being row 1. */
type Accepted = Suggestion & { readonly row: number }

/**
 * Reads a file's type, header and rows. If two valid rows have the same address, the later one wins. Returns slices with
 * the rows, then slices with their words.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function readFile(
  bytes: Uint8Array,
  { name, limits, pickUpPoints }: ReadRequest,
): Promise<Iterable<Slice>> {
  const type = detectFileType(name, bytes)
  const rows = type === 'csv' ? csvRows(bytes) : await readSpreadsheet(bytes, type, limits)
  const ownPickUpPoints = new Set(pickUpPoints)
  const lines = new Map<string, Accepted>()
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
  return toSlices(
    [...lines.values()].sort((a, b) => a.row - b.row),
    errorLogs,
  )
}

/** Loads the library for spreadsheets, which takes a sixth of the start of the process, only for such a file. */
async function readSpreadsheet(
  bytes: Uint8Array,
  type: 'xls' | 'xlsx',
  limits: UploadLimits,
): Promise<Iterable<RawRow>> {
  const { spreadsheetRows } = await import('./spreadsheet.ts')
  return spreadsheetRows(bytes, type, limits)
}

function addLine(lines: Map<string, Accepted>, errorLogs: ErrorLog[], line: Accepted): void {
  const key = line.emailAddress.toLowerCase()
  const earlier = lines.get(key)
  if (earlier !== undefined)
    errorLogs.push({ id: earlier.row, message: `EmailAddress must be unique; row ${line.row} repeats it.` })
  lines.set(key, line)
}

function* toSlices(accepted: readonly Accepted[], errorLogs: readonly ErrorLog[]): Generator<Slice> {
  const found: string[] = []
  for (let at = 0; at < Math.max(accepted.length, errorLogs.length); at += sliceRows) {
    const lines = accepted.slice(at, at + sliceRows).map((line, index): SuggestionLine => {
      const words = splitWords([line.firstName, line.lastName, line.emailAddress])
      found.push(...words.map(word => `${word}\n${at + index}`))
      return { ...line, position: at + index, searchKey: toSearchKey(words) }
    })
    yield { lines, errorLogs: errorLogs.slice(at, at + sliceRows), words: undefined }
  }
  // As texts, since their order is that of the index and sorting pairs takes several times longer.
  found.sort()
  for (let at = 0; at < found.length; at += sliceWords) {
    const words = found.slice(at, at + sliceWords).map(text => {
      const end = text.lastIndexOf('\n')
      return [text.slice(0, end), Number(text.slice(end + 1))]
    })
    yield { lines: [], errorLogs: [], words: JSON.stringify(words) }
  }
}
