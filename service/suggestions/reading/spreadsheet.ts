import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { Refusal } from '../../operations/call.ts'
import type { UploadLimits } from '../limits.ts'
import type { RawRow } from './rawRow.ts'
import { type Entry, unzip, zipStored } from './zip.ts'

/** What is needed of a packed spreadsheet: texts and structure, no pictures. */
const needed = /(^\[Content_Types\]\.xml|\.rels|^xl\/[^/]+\.xml|^xl\/worksheets\/[^/]+\.xml)$/i
const workbook = /^xl\/workbook\.xml$/i
const sheets = /^xl\/worksheets\//i

/**
 * The rows of the first sheet, by the stored values and not by their formats.
 * @throws Refusal InvalidImportType when it is no spreadsheet or damaged, InvalidRequest when it is too large
 */
export function* spreadsheetRows(bytes: Uint8Array, type: 'xls' | 'xlsx', limits: UploadLimits): Generator<RawRow> {
  const sheet = readWithinReason(() => firstSheet(Buffer.from(bytes), type, limits))
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? []
  // By what is there: the range that a sheet says it has can be any.
  for (const index of Object.keys(rows)) {
    const cells = rows[Number(index)]
    if (cells === undefined) continue
    if (cells.length > limits.columns) {
      throw new Refusal('InvalidHeader', `Row ${Number(index) + 1} has more than ${limits.columns} columns.`)
    }
    yield { row: Number(index) + 1, cells: Array.from(cells, textOf), exact: false }
  }
}

function firstSheet(file: Buffer, type: 'xls' | 'xlsx', limits: UploadLimits): WorkSheet {
  const counted = type === 'xls' ? file : unpacked(file, limits)
  const { Sheets, SheetNames } = read(counted, {
    type: 'buffer',
    dense: true,
    sheets: 0,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
  })
  const sheet = Sheets[SheetNames[0] ?? '']
  if (sheet === undefined) throw new Error('there is no sheet')
  return sheet
}

function unpacked(file: Buffer, limits: UploadLimits): Buffer {
  const entries = unzip(file, name => needed.test(name), limits.unpackedBytes)
  if (!entries.some(({ name }) => workbook.test(name))) throw new Error('there is no workbook')
  const cells = entries.filter(({ name }) => sheets.test(name)).reduce((sum, entry) => sum + cellsIn(entry), 0)
  if (cells > limits.cells) throw new Refusal('InvalidRequest', `The file has more than ${limits.cells} cells.`)
  return zipStored(entries)
}

/** Cells begin with `<c`, as do a few other elements, of which a sheet has one. */
function cellsIn({ bytes }: Entry): number {
  let count = 0
  for (let at = bytes.indexOf('<c'); at >= 0; at = bytes.indexOf('<c', at + 2)) count++
  return count
}

function textOf(cell: CellObject | undefined): string {
  return cell?.v === undefined || cell.t === 'z' ? '' : String(cell.v).trim()
}

/** What a reader says of a file that is none is of no use to anybody. */
function readWithinReason(work: () => WorkSheet): WorkSheet {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(
      'InvalidImportType',
      'The file cannot be read as a spreadsheet; is it whole, and has it no password?',
    )
  }
}
