import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import { damagedSpreadsheet } from './fileType.ts'
import type { RawRow } from './rows.ts'

/**
 * Yields the rows of the first sheet of an .xls file, with stored values instead of formatted ones. The format has at most
 * 65,536 rows, and its parser reads all of them at once.
 * @throws OperationError InvalidImportType for a damaged or encrypted file, InvalidHeader for a row of too many columns
 */
export function* xlsRows(bytes: Buffer, limits: UploadLimits): Generator<RawRow> {
  const rows: (CellObject | undefined)[][] = readFirstSheet(bytes)['!data'] ?? []
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

function readFirstSheet(file: Buffer): WorkSheet {
  try {
    const { Sheets, SheetNames } = read(file, {
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
  } catch {
    throw new OperationError('InvalidImportType', damagedSpreadsheet)
  }
}

/** The parser gives an error value as a number, or as nothing. */
function toText(cell: CellObject | undefined): string {
  if (cell?.t === 'e') return '#'
  return cell?.v === undefined || cell.t === 'z' ? '' : String(cell.v).trim()
}
