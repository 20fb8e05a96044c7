import { fstatSync, readSync } from 'node:fs'

/** Bytes that are read, parsed or unpacked at a time. */
export const chunkBytes = 64 * 1_024

/** A part of a file by its offset and its length in bytes. */
export interface Part {
  readonly at: number
  readonly length: number
}

/** An uploaded file on the disk. Its bytes are read when they are needed. */
export interface FileBytes {
  readonly size: number
  /** @throws RangeError for a part that is not in the file */
  read(part: Part): Buffer
  /** Reads a part in chunks. @throws RangeError for a part that is not in the file */
  chunks(part: Part): Generator<Buffer>
}

/** Reads by offsets: the process of the service and this one share the position of the file. */
export function openFile(descriptor: number): FileBytes {
  const { size } = fstatSync(descriptor)

  function read({ at, length }: Part): Buffer {
    if (at < 0 || length < 0 || at + length > size) throw new RangeError(`no ${length} bytes at ${at}`)
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let done = 0; done < length; ) {
      const count = readSync(descriptor, bytes, done, length - done, at + done)
      if (count === 0) throw new RangeError('the file is shorter than its size')
      done += count
    }
    return bytes
  }

  return {
    size,
    read,
    *chunks({ at, length }) {
      for (let done = 0; done < length; done += chunkBytes)
        yield read({ at: at + done, length: Math.min(chunkBytes, length - done) })
    },
  }
}
