import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import type { FileBytes } from './fileBytes.ts'
import { damagedSpreadsheet } from './fileType.ts'
import type { RawRow, Table } from './rows.ts'
import { readSharedStrings } from './sharedStrings.ts'
import { createSheetReader, type SheetReader } from './sheet.ts'
import { findSheetParts } from './workbook.ts'
import { parseXml } from './xml.ts'
import { openArchive } from './zip.ts'

/**
 * Opens the first visible sheet of an .xlsx file. Its rows have stored values instead of formatted ones, and are read while the
 * sheet is being unpacked: only its shared strings are in memory as a whole.
 * @throws OperationError, and its rows too, InvalidImportType for a damaged or encrypted file, InvalidRequest for one that is too
 * large, InvalidHeader for a row of too many columns, or without a visible sheet
 */
export async function openXlsx(file: FileBytes, limits: UploadLimits): Promise<Table> {
  try {
    const archive = openArchive(file, limits.unpackedBytes)
    const { name, sheet, sharedStrings } = await findSheetParts(archive)
    // The sizes of both parts are added up before the first one is unpacked.
    const [strings, cells] = [
      sharedStrings === undefined ? undefined : archive.stream(sharedStrings),
      archive.stream(sheet),
    ]
    const reader = createSheetReader(strings && (await readSharedStrings(strings, limits.cells)), limits)
    return { sheet: name, rows: readRows(cells, reader) }
  } catch (error) {
    throw toRefusal(error)
  }
}

async function* readRows(cells: AsyncIterable<Uint8Array>, reader: SheetReader): AsyncGenerator<RawRow> {
  try {
    for await (const _ of parseXml(cells, reader.handlers)) yield* reader.take()
  } catch (error) {
    throw toRefusal(error)
  }
}

function toRefusal(error: unknown): OperationError {
  return error instanceof OperationError ? error : new OperationError('InvalidImportType', damagedSpreadsheet)
}
