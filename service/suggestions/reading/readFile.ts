import { OperationError } from '../../operationError.ts'
import type { ReadRequest, Slice, UploadedFile, UploadLimits } from '../upload.ts'
import { type Columns, invalidHeader, locateColumns } from './columns.ts'
import { csvRows } from './csv.ts'
import { type FileBytes, openFile } from './fileBytes.ts'
import { detectFileType, type FileType } from './fileType.ts'
import { createLines } from './lines.ts'
import { createRefusals } from './refusals.ts'
import { readRow, type Table } from './rows.ts'
import { toSlices } from './slices.ts'

/**
 * Reads a file's type, header and rows. If two valid rows have the same address, the later one wins. Returns slices with
 * the rows, then slices with their words.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function readFile(file: FileBytes, { name, limits, pickUpPoints }: ReadRequest): Promise<Iterable<Slice>> {
  const { sheet, rows } = await openTable(file, detectFileType(name, file), limits)
  const ownPickUpPoints = new Set(pickUpPoints)
  const refusals = createRefusals()
  const lines = createLines(refusals)
  let columns: Columns | undefined
  let count = 0
  for await (const raw of rows) {
    if (raw.cells.every(cell => cell === '')) continue
    if (columns === undefined) {
      columns = locateColumns(raw.cells, sheet, limits.columns)
      continue
    }
    if (++count > limits.rows)
      throw new OperationError('InvalidRequest', `The file must have at most ${limits.rows} rows.`)
    const read = readRow(raw, columns, text => ownPickUpPoints.has(text))
    if ('problems' in read) refusals.add(raw.row, read.problems)
    else lines.add(raw.row, read.suggestion)
  }
  if (columns === undefined) throw invalidHeader('have a header', sheet)
  return toSlices(lines.end(), refusals.end())
}

/**
 * Reads a file as `readInProcess` does, but in this process, which a malicious file can then block or crash.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function* readHere(
  { handle }: UploadedFile,
  reading: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  for (const slice of await readFile(openFile(handle.fd), reading)) {
    signal.throwIfAborted()
    yield slice
  }
}

/** Loads the parsers of spreadsheets only for such a file: the one of .xls takes a sixth of the start of the process. */
async function openTable(file: FileBytes, type: FileType, limits: UploadLimits): Promise<Table> {
  const whole = { at: 0, length: file.size }
  switch (type) {
    case 'csv':
      return { rows: csvRows(file.read(whole)) }
    case 'xls':
      return (await import('./xls.ts')).openXls(file.read(whole), limits)
    case 'xlsx':
      return (await import('./xlsx.ts')).openXlsx(file, limits)
  }
}
