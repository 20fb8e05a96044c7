import { extname } from 'node:path'
import { Refusal } from '../../operations/call.ts'
import type { UploadedFile } from '../upload.ts'

const fileTypes = ['csv', 'xls', 'xlsx'] as const
export type FileType = (typeof fileTypes)[number]

/** How files begin; a compound document is what .xls files are, and other files of its time. */
const beginnings = { xls: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], xlsx: [0x50, 0x4b, 0x03, 0x04] } as const

/** Control characters that no text has; a text in UTF-16 is full of the first. */
const noText = new Set([...Array(32).keys()].filter(code => code !== 9 && code !== 10 && code !== 13))

/**
 * The type of a file by its content, which has to be the one that its name says when it has a name.
 * @throws Refusal InvalidImportType
 */
export function fileTypeOf({ name, bytes }: UploadedFile): FileType {
  const found = typeByContent(bytes)
  if (found === undefined) {
    throw new Refusal('InvalidImportType', 'The file is no .xls, no .xlsx, and no .csv in UTF-8 or Latin-1.')
  }
  if (name === undefined) return found
  const said = extname(name).slice(1).toLowerCase()
  if (!fileTypes.some(type => type === said)) {
    throw new Refusal('InvalidImportType', `The name of the file has to end in .${fileTypes.join(', .')}.`)
  }
  if (said !== found) throw new Refusal('InvalidImportType', `The file is named .${said} and is ${found}.`)
  return found
}

function typeByContent(bytes: Uint8Array): FileType | undefined {
  for (const type of ['xls', 'xlsx'] as const) {
    if (beginnings[type].every((byte, at) => bytes[at] === byte)) return type
  }
  return bytes.some(byte => noText.has(byte)) ? undefined : 'csv'
}
