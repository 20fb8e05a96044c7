import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import type { RawRow } from './rows.ts'
import { type Entry, unzip, zipStored } from './zip.ts'

/** Entries of an .xlsx archive with texts and structure, without pictures. */
const neededEntries = /(^\[Content_Types\]\.xml|\.rels|^xl\/[^/]+\.xml|^xl\/worksheets\/[^/]+\.xml)$/i
const workbook = /^xl\/workbook\.xml$/i
const sheets = /^xl\/worksheets\//i

/**
 * Yields the rows of the first sheet, with stored values instead of formatted ones.
 * @throws OperationError InvalidImportType for a damaged or encrypted file, InvalidRequest for one that is too large
 */
export function* spreadsheetRows(bytes: Uint8Array, type: 'xls' | 'xlsx', limits: UploadLimits): Generator<RawRow> {
  const sheet = withImportErrors(() => readFirstSheet(Buffer.from(bytes), type, limits))
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? []
  // Existing rows only: the declared range of a sheet cannot be trusted.
  for (const index of Object.keys(rows)) {
    const cells = rows[Number(index)]
    if (cells === undefined) continue
    if (cells.length > limits.columns) {
      throw new OperationError('InvalidHeader', `Row ${Number(index) + 1} must have at most ${limits.columns} columns.`)
    }
    yield { row: Number(index) + 1, cells: Array.from(cells, toText), exact: false }
  }
}

function readFirstSheet(file: Buffer, type: 'xls' | 'xlsx', limits: UploadLimits): WorkSheet {
  const unpacked = type === 'xls' ? file : unpackWithinLimits(file, limits)
  const { Sheets, SheetNames } = read(unpacked, {
    type: 'buffer',
    dense: true,
    sheets: 0,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
  })
  const sheet = Sheets[SheetNames[0] ?? '']
  if (sheet === undefined) throw new Error('no sheet')
  return sheet
}

function unpackWithinLimits(file: Buffer, limits: UploadLimits): Buffer {
  const entries = unzip(file, name => neededEntries.test(name), limits.unpackedBytes)
  if (!entries.some(({ name }) => workbook.test(name))) throw new Error('no workbook')
  const cells = entries.filter(({ name }) => sheets.test(name)).reduce((sum, entry) => sum + countCells(entry), 0)
  if (cells > limits.cells)
    throw new OperationError('InvalidRequest', `The file must have at most ${limits.cells} cells.`)
  return zipStored(entries)
}

/** Cells begin with `<c`. A few other elements do too, but they occur once per sheet. */
function countCells({ bytes }: Entry): number {
  let count = 0
  for (let at = bytes.indexOf('<c'); at >= 0; at = bytes.indexOf('<c', at + 2)) count++
  return count
}

function toText(cell: CellObject | undefined): string {
  return cell?.v === undefined || cell.t === 'z' ? '' : String(cell.v).trim()
}

/** Replaces parser errors by `InvalidImportType`. */
function withImportErrors(work: () => WorkSheet): WorkSheet {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperationError) throw error
    throw new OperationError('InvalidImportType', 'The file must be an undamaged spreadsheet without a password.')
  }
}
