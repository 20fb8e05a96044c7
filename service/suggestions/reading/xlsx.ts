import { OperationError } from '../../operationError.ts'
import type { UploadLimits } from '../upload.ts'
import type { FileBytes } from './fileBytes.ts'
import { damagedSpreadsheet } from './fileType.ts'
import type { RawRow } from './rows.ts'
import { readSharedStrings } from './sharedStrings.ts'
import { createSheetReader } from './sheet.ts'
import { findSheetParts } from './workbook.ts'
import { parseXml } from './xml.ts'
import { openArchive } from './zip.ts'

/**
 * Yields the rows of the first visible sheet of an .xlsx file, with stored values instead of formatted ones, while the sheet is being
 * unpacked: only its shared strings are in memory as a whole.
 * @throws OperationError InvalidImportType for a damaged or encrypted file, InvalidRequest for one that is too large,
 * InvalidHeader for a row of too many columns, or without a visible sheet
 */
export async function* xlsxRows(file: FileBytes, limits: UploadLimits): AsyncGenerator<RawRow> {
  try {
    const archive = openArchive(file, limits.unpackedBytes)
    const { sheet, sharedStrings } = await findSheetParts(archive)
    // The sizes of both parts are added up before the first one is unpacked.
    const [strings, cells] = [
      sharedStrings === undefined ? undefined : archive.stream(sharedStrings),
      archive.stream(sheet),
    ]
    const reader = createSheetReader(strings && (await readSharedStrings(strings, limits.cells)), limits)
    for await (const _ of parseXml(cells, reader.handlers)) yield* reader.take()
  } catch (error) {
    if (error instanceof OperationError) throw error
    throw new OperationError('InvalidImportType', damagedSpreadsheet)
  }
}
