import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import { type CellError, errorValue, type RawRow, unstoredValue } from './rows.ts'
import type { SharedStrings } from './sharedStrings.ts'
import type { XmlHandlers } from './xml.ts'

/** Collects the rows of a sheet from its elements (ECMA-376-1, 18.3.1). */
export interface SheetReader {
  readonly handlers: XmlHandlers
  /** Returns the rows that are complete, once. */
  take(): RawRow[]
}

type Attributes = Readonly<Record<string, string>>

/** @param strings texts that cells refer to; undefined if the file has none */
export function createSheetReader(strings: SharedStrings | undefined, limits: UploadLimits): SheetReader {
  let complete: RawRow[] = []
  let [inSheet, inValue, phonetic] = [false, false, 0]
  let [row, column, cellCount] = [0, -1, 0]
  let [type, value] = ['', '']
  let cells: string[] = []
  let errors: CellError[] = []
  /** The cell has a formula, and no value of it so far. */
  let unstored = false

  function openRow({ r }: Attributes): void {
    const number = r === undefined ? row + 1 : Number(r)
    if (!Number.isSafeInteger(number) || number <= row) throw new Error('the rows are not in order')
    row = number
    column = -1
    cells = []
    errors = []
  }

  function openCell({ r, t = 'n' }: Attributes): void {
    if (++cellCount > limits.cells) {
      throw new OperationError('InvalidRequest', `The file must have at most ${limits.cells} cells.`)
    }
    column = r === undefined ? column + 1 : toColumn(r)
    type = t
    value = ''
    unstored = false
  }

  function closeCell(): void {
    const problem = type === 'e' ? errorValue : unstored && value === '' ? unstoredValue : undefined
    const text = problem === undefined ? toText(type, value, strings).trim() : '#'
    // Empty cells do not count as columns: a program writes them for their format.
    if (text === '') return
    if (column >= limits.columns) {
      throw new OperationError('InvalidHeader', `Row ${row} must have at most ${limits.columns} columns.`)
    }
    if (problem !== undefined) errors.push({ column, problem })
    while (cells.length < column) cells.push('')
    cells[column] = text
  }

  const handlers: XmlHandlers = {
    open(name, attributes) {
      if (name === 'sheetData') inSheet = true
      if (!inSheet) return
      if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'rPh') phonetic++
      else if (name === 'f') unstored = true
      // An empty text is a value, and an empty number is not.
      else if (name === 'v' && type === 'str') unstored = false
      inValue = name === 'v' || (name === 't' && phonetic === 0)
    },
    close(name) {
      if (!inSheet) return
      inValue = false
      if (name === 'c') closeCell()
      else if (name === 'row') complete.push({ row, cells, exact: false, errors })
      else if (name === 'rPh') phonetic--
      else if (name === 'sheetData') inSheet = false
    },
    text(text) {
      if (inValue) value += text
    },
  }
  return {
    handlers,
    take() {
      const taken = complete
      complete = []
      return taken
    },
  }
}

function toColumn(reference: string): number {
  const letters = /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference)?.[1]
  if (letters === undefined) throw new Error('the reference of a cell is damaged')
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function toText(type: string, value: string, strings: SharedStrings | undefined): string {
  if (value === '') return ''
  switch (type) {
    case 's': {
      const text = strings?.at(Number(value))
      if (text === undefined) throw new Error('a shared string is missing')
      return unescapeText(text)
    }
    case 'b':
      return value.trim() === '1' ? 'true' : 'false'
    case 'n': {
      const number = Number(value)
      return Number.isNaN(number) ? value : String(number)
    }
    default:
      return unescapeText(value)
  }
}

/** Characters that XML cannot contain are written as `_x000D_` (ECMA-376-1, 22.9.2.19). */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\da-fA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
