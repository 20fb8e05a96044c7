import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { OperationError } from '../../operationError.ts'
import { chunkBytes, type FileBytes, type Part } from './fileBytes.ts'

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const
const lengths = { local: 30, central: 46, end: 22 } as const
const maxComment = 65_535
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
export function openArchive(file: FileBytes, maxBytes: number): Archive {
  const directory = new Map(readDirectory(file).map(({ name, ...packed }) => [name.toLowerCase(), packed]))
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
      return unpack(file, packed)
    },
  }
}

function readDirectory(file: FileBytes): (Packed & { readonly name: string })[] {
  const end = readEnd(file)
  const start = end.bytes.readUInt32LE(16)
  const directory = file.read({ at: start, length: end.at - start })
  const found: (Packed & { readonly name: string })[] = []
  let at = 0
  for (let remaining = end.bytes.readUInt16LE(10); remaining > 0; remaining--) {
    if (directory.readUInt32LE(at) !== marks.central) throw new Error('the directory of the archive is damaged')
    const [name, extra, comment] = [28, 30, 32].map(offset => directory.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const nameAt = at + lengths.central
    found.push({
      name: directory.toString('utf8', nameAt, nameAt + name),
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    })
    at = nameAt + name + extra + comment
  }
  return found
}

/** Reads the end record of the directory, which a comment may follow. */
function readEnd(file: FileBytes): { readonly at: number; readonly bytes: Buffer } {
  const first = Math.max(0, file.size - lengths.end - maxComment)
  const bytes = file.read({ at: first, length: file.size - first })
  for (let at = bytes.length - lengths.end; at >= 0; at--) {
    if (bytes.readUInt32LE(at) === marks.end) return { at: first + at, bytes: bytes.subarray(at) }
  }
  throw new Error('the archive has no directory')
}

async function* unpack(file: FileBytes, { method, packedSize, size, at }: Packed): AsyncGenerator<Buffer> {
  const local = file.read({ at, length: lengths.local })
  if (local.readUInt32LE(0) !== marks.local) throw new Error('the archive is damaged')
  const start = at + lengths.local + local.readUInt16LE(26) + local.readUInt16LE(28)
  const packed = { at: start, length: packedSize }
  let unpacked = 0
  for await (const chunk of method === methods.stored ? file.chunks(packed) : inflate(file, packed, method)) {
    unpacked += chunk.length
    if (unpacked > size) break
    yield chunk
  }
  if (unpacked !== size) throw new Error('the archive is damaged')
}

function inflate(file: FileBytes, part: Part, method: number): AsyncIterable<Buffer> {
  if (method !== methods.deflated) throw new Error('unsupported compression method')
  const inflating = createInflateRaw({ chunkSize: chunkBytes })
  // An error reaches the reader of the stream.
  return pipeline(Readable.from(file.chunks(part)), inflating, () => undefined)
}
