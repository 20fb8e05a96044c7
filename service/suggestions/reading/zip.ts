import { createInflateRaw } from 'node:zlib'
import { OperationError } from '../../operationError.ts'

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const
const lengths = { local: 30, central: 46, end: 22 } as const
const maxComment = 65_535
const chunkBytes = 64 * 1_024
const methods = { stored: 0, deflated: 8 } as const
/** Files of an archive. Names are compared without regard to casing. */
export interface Archive {
  has(name: string): boolean
  /** Unpacks a file while it is read. */
  stream(name: string): AsyncIterable<Buffer>
}

interface Packed {
  readonly method: number
  readonly packedSize: number
  readonly size: number
  /** Offset of the local header. */
  readonly at: number
}

/**
 * Opens an archive. Guards against zip bombs: the declared sizes of the files that are read are added up before each is
 * unpacked, and unpacking ends with an error once a file is larger than declared.
 * @param maxBytes limit for all files that are read together
 * @throws OperationError InvalidRequest above the limit, RangeError or Error for a damaged archive; so do its files
 */
export function openArchive(archive: Buffer, maxBytes: number): Archive {
  const directory = new Map(readDirectory(archive).map(({ name, ...packed }) => [name.toLowerCase(), packed]))
  let declared = 0
  return {
    has: name => directory.has(name.toLowerCase()),
    stream(name) {
      const packed = directory.get(name.toLowerCase())
      if (packed === undefined) throw new Error(`no file ${name}`)
      declared += packed.size
      if (declared > maxBytes) {
        throw new OperationError('InvalidRequest', `The file must unpack to at most ${maxBytes} bytes.`)
      }
      return unpack(archive, packed)
    },
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

async function* unpack(archive: Buffer, { method, packedSize, size, at }: Packed): AsyncGenerator<Buffer> {
  if (archive.readUInt32LE(at) !== marks.local) throw new Error('the archive is damaged')
  const start = at + lengths.local + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
  const bytes = archive.subarray(start, start + packedSize)
  let unpacked = 0
  for await (const chunk of method === methods.stored ? slices(bytes) : inflate(bytes, method)) {
    unpacked += chunk.length
    if (unpacked > size) break
    yield chunk
  }
  if (unpacked !== size) throw new Error('the archive is damaged')
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

function inflate(bytes: Buffer, method: number): AsyncIterable<Buffer> {
  if (method !== methods.deflated) throw new Error('unsupported compression method')
  const inflating = createInflateRaw({ chunkSize: chunkBytes })
  inflating.end(bytes)
  return inflating
}
