import { crc32, inflateRawSync } from 'node:zlib'
import { OperationError } from '../../operationError.ts'

/** An unpacked file of an archive. */
export interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const
const lengths = { local: 30, central: 46, end: 22 } as const
const maxComment = 65_535
const methods = { stored: 0, deflated: 8 } as const
/** Bit 11 of the flags: names are UTF-8. */
const utf8Names = 0x800

/** Unpacks one file of an archive. Names are compared without regard to casing. Undefined for a missing file. */
export type ReadEntry = (name: string) => Buffer | undefined

interface Packed {
  readonly method: number
  readonly packedSize: number
  readonly size: number
  /** Offset of the local header. */
  readonly at: number
}

/**
 * Opens an archive. Guards against zip bombs: the declared sizes of the files that are read are added up before each is
 * inflated, and a file that inflates to another size than declared is an error.
 * @param maxBytes limit for all files that are read together
 * @throws OperationError InvalidRequest above the limit, RangeError or Error for a damaged archive; so does the result
 */
export function openArchive(archive: Buffer, maxBytes: number): ReadEntry {
  const directory = new Map(readDirectory(archive).map(({ name, ...packed }) => [name.toLowerCase(), packed]))
  let declared = 0
  return name => {
    const packed = directory.get(name.toLowerCase())
    if (packed === undefined) return undefined
    declared += packed.size
    if (declared > maxBytes) {
      throw new OperationError('InvalidRequest', `The file must unpack to at most ${maxBytes} bytes.`)
    }
    return unpack(archive, packed)
  }
}

function readDirectory(archive: Buffer): (Packed & { readonly name: string })[] {
  const found: (Packed & { readonly name: string })[] = []
  const end = findDirectoryEnd(archive)
  let at = archive.readUInt32LE(end + 16)
  for (let remaining = archive.readUInt16LE(end + 10); remaining > 0; remaining--) {
    if (archive.readUInt32LE(at) !== marks.central) throw new Error('the directory of the archive is damaged')
    const [name, extra, comment] = [28, 30, 32].map(offset => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const nameAt = at + lengths.central
    found.push({
      name: archive.toString('utf8', nameAt, nameAt + name),
      method: archive.readUInt16LE(at + 10),
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    })
    at = nameAt + name + extra + comment
  }
  return found
}

function findDirectoryEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - lengths.end - maxComment)
  for (let at = archive.length - lengths.end; at >= first; at--) {
    if (archive.readUInt32LE(at) === marks.end) return at
  }
  throw new Error('the archive has no directory')
}

function unpack(archive: Buffer, { method, packedSize, size, at }: Packed): Buffer {
  if (archive.readUInt32LE(at) !== marks.local) throw new Error('the archive is damaged')
  const start = at + lengths.local + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
  const bytes = archive.subarray(start, start + packedSize)
  if (method === methods.stored && bytes.length === size) return bytes
  if (method !== methods.deflated) throw new Error('unsupported compression method')
  // Node requires a limit of at least 1; the length check below covers empty files.
  const inflated = inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) })
  if (inflated.length !== size) throw new Error('the archive is damaged')
  return inflated
}

/** Packs files without compression, so that a reader cannot inflate anything that was not counted. */
export function zipStored(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const { name, bytes } of entries) {
    const text = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(utf8Names, 2)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(text.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    listed.push(toUInt32(marks.central), Buffer.from([20, 0]), common, tail, text)
    files.push(toUInt32(marks.local), common, text, bytes)
    at += lengths.local + text.length + bytes.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(lengths.end)
  end.writeUInt32LE(marks.end, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, list, end])
}

function toUInt32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
