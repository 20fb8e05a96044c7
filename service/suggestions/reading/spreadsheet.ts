import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import type { RawRow } from './rows.ts'
import { findSheetParts, packSheet } from './workbook.ts'
import { openArchive } from './zip.ts'

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
    const errors = cells.flatMap((cell, column) => (cell?.t === 'e' ? [column] : []))
    yield { row: Number(index) + 1, cells: Array.from(cells, toText), exact: false, errors }
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

/** Unpacks the first sheet and its texts, and packs them without compression for the parser. */
function unpackWithinLimits(file: Buffer, limits: UploadLimits): Buffer {
  const parts = findSheetParts(openArchive(file, limits.unpackedBytes))
  if (countCells(parts.sheet) > limits.cells) {
    throw new OperationError('InvalidRequest', `The file must have at most ${limits.cells} cells.`)
  }
  return packSheet(parts)
}

/** Cells begin with `<c`. A few other elements do too, but they occur once per sheet. */
function countCells(sheet: Buffer): number {
  let count = 0
  for (let at = sheet.indexOf('<c'); at >= 0; at = sheet.indexOf('<c', at + 2)) count++
  return count
}

/** The parser gives an error value as a number, or as nothing. */
function toText(cell: CellObject | undefined): string {
  if (cell?.t === 'e') return '#'
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
