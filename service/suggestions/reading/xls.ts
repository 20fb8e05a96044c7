import { type CellObject, read, type WorkBook } from '@e965/xlsx'
import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import { damagedSpreadsheet, noVisibleSheet } from './fileType.ts'
import { errorValue, type RawRow, type Table } from './rows.ts'

/**
 * Opens the first visible sheet of an .xls file. Its rows have stored values instead of formatted ones. The format has at most
 * 65,536 rows, and its parser reads all of them at once.
 * @throws OperationError InvalidImportType for a damaged or encrypted file, InvalidHeader without a visible sheet. Its rows
 * throw InvalidHeader for a row of too many columns
 */
export function openXls(bytes: Buffer, limits: UploadLimits): Table {
  const { Sheets, SheetNames, Workbook } = readWorkbook(bytes)
  const hidden = new Set(Workbook?.Sheets?.flatMap(({ name, Hidden }) => (Hidden ? [name] : [])))
  const visible = SheetNames.find(name => !hidden.has(name))
  if (visible === undefined && hidden.size > 0) throw noVisibleSheet()
  const sheet = Sheets[visible ?? '']
  if (visible === undefined || sheet === undefined) throw new OperationError('InvalidImportType', damagedSpreadsheet)
  return { sheet: visible, rows: readRows(sheet['!data'] ?? [], limits) }
}

type Cells = (CellObject | undefined)[]

function* readRows(rows: (Cells | undefined)[], limits: UploadLimits): Generator<RawRow> {
  // Existing rows only: the declared range of a sheet cannot be trusted.
  for (const index of Object.keys(rows)) {
    const cells = rows[Number(index)]
    if (cells === undefined) continue
    if (cells.length > limits.columns) {
      throw new OperationError('InvalidHeader', `Row ${Number(index) + 1} must have at most ${limits.columns} columns.`)
    }
    const errors = cells.flatMap((cell, column) => (cell?.t === 'e' ? [{ column, problem: errorValue }] : []))
    yield { row: Number(index) + 1, cells: Array.from(cells, toText), exact: false, errors }
  }
}

function readWorkbook(file: Buffer): WorkBook {
  try {
    return read(file, { type: 'buffer', dense: true, cellFormula: false, cellHTML: false, cellText: false })
  } catch {
    throw new OperationError('InvalidImportType', damagedSpreadsheet)
  }
}

/** The parser gives an error value as a number, or as nothing. */
function toText(cell: CellObject | undefined): string {
  if (cell?.t === 'e') return '#'
  return cell?.v === undefined || cell.t === 'z' ? '' : String(cell.v).trim()
}
