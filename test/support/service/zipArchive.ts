import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

/** A compressed file of an archive; `size` is the uncompressed size that the directory claims. */
export interface PackedFile {
  readonly name: string
  readonly packed: Buffer
  readonly size: number
  readonly crc: number
}

export function packed(name: string, content: string | Uint8Array): PackedFile {
  const bytes = Buffer.from(content)
  return { name, packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) }
}

/** A text followed by this number of blanks, compressed without keeping them in memory. */
export async function blown(name: string, text: string, size: number): Promise<PackedFile> {
  const deflate = createDeflateRaw({ level: 9 })
  const blanks = Buffer.alloc(1_000_000, ' ')
  const chunks: Buffer[] = []
  deflate.on('data', chunk => chunks.push(chunk))
  deflate.write(text)
  for (let left = size - text.length; left > 0; left -= blanks.length) {
    await new Promise<void>(resolve => void deflate.write(blanks.subarray(0, left), () => resolve()))
  }
  await new Promise<void>(resolve => void deflate.once('end', resolve).end())
  return { name, packed: Buffer.concat(chunks), size, crc: 0 }
}

/** A valid archive of these files. */
export function archive(files: readonly PackedFile[]): Buffer {
  const bodies: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const { name, packed: bytes, size, crc } of files) {
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(8, 4)
    header.writeUInt32LE(crc, 10)
    header.writeUInt32LE(bytes.length, 14)
    header.writeUInt32LE(size, 18)
    header.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), bytes])
    bodies.push(body)
    listed.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), header, place, Buffer.from(name)]))
    at += body.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, list, end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The entries of an .xlsx besides its one sheet. */
export const aroundSheet: readonly PackedFile[] = [
  packed(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  ),
  packed(
    '_rels/.rels',
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ),
  packed(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ),
  packed(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
  ),
]

export const sheetName = 'xl/worksheets/sheet1.xml'

/** The XML of a sheet: rows by number, each of cells by letter. */
export function sheetXml(rows: Readonly<Record<number, Readonly<Record<string, string>>>>, range = 'A1:G2'): string {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const body = Object.entries(rows).map(([number, cells]) => {
    const inner = Object.entries(cells).map(([letter, text]) => cell(letter + number, text))
    return `<row r="${number}">${inner.join('')}</row>`
  })
  return `<worksheet xmlns="${main}"><dimension ref="${range}"/><sheetData>${body.join('')}</sheetData></worksheet>`
}
