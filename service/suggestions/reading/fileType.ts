import { extname } from 'node:path'
import { OperationError } from '../../operationError.ts'
import type { FileBytes } from './fileBytes.ts'

const fileTypes = ['csv', 'xls', 'xlsx'] as const
export type FileType = (typeof fileTypes)[number]

/** Here, because the file of each format loads its parser. */
export const damagedSpreadsheet = 'The file must be an undamaged spreadsheet without a password.'

/** People who see no sheet do not expect that one is read. */
export function noVisibleSheet(): OperationError {
  return new OperationError('InvalidHeader', 'The file must have a visible sheet; all of its sheets are hidden.')
}

/** First bytes of a file. The .xls signature is that of any compound document. */
const signatures = { xls: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], xlsx: [0x50, 0x4b, 0x03, 0x04] } as const

/** Control characters that do not occur in text. UTF-16 text contains NUL, so it is rejected. */
const controlCharacters = new Set([...Array(32).keys()].filter(code => code !== 9 && code !== 10 && code !== 13))

/**
 * Detects a file's type by its content. The extension, if there is one, must match.
 * @throws OperationError InvalidImportType
 */
export function detectFileType(name: string | undefined, file: FileBytes): FileType {
  const detected = findTypeByContent(file)
  if (detected === undefined) {
    throw new OperationError(
      'InvalidImportType',
      'The file must be an .xls, .xlsx or .csv file; CSV in UTF-8 or Latin-1.',
    )
  }
  if (name === undefined) return detected
  const extension = extname(name).slice(1).toLowerCase()
  if (!fileTypes.some(type => type === extension)) {
    throw new OperationError('InvalidImportType', `The file name must end in .${fileTypes.join(', .')}.`)
  }
  if (extension !== detected)
    throw new OperationError(
      'InvalidImportType',
      `The file name ends in .${extension}, but the content is ${detected}.`,
    )
  return detected
}

function findTypeByContent(file: FileBytes): FileType | undefined {
  for (const type of ['xls', 'xlsx'] as const) {
    const signature = Buffer.from(signatures[type])
    if (file.size >= signature.length && file.read({ at: 0, length: signature.length }).equals(signature)) return type
  }
  for (const chunk of file.chunks({ at: 0, length: file.size })) {
    if (chunk.some(byte => controlCharacters.has(byte))) return undefined
  }
  return 'csv'
}
