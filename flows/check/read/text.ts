import { isUtf8 } from 'node:buffer'
import { constants, open } from 'node:fs/promises'

/** Bytes. */
const maxFile = 2_000_000

/**
 * The text of a file that a user names.
 * @param maxBytes of the file
 * @throws Error for one that cannot be read, is a pipe or a device, is too large, or has another encoding than UTF-8
 */
export async function readText(file: string, maxBytes = maxFile): Promise<string> {
  // To open a pipe would wait for its writer. Windows lacks the flag.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it must be a regular file')
    const chunks: Buffer[] = []
    // One byte more than allowed: the size of a file can change, and some files do not state theirs.
    for await (const chunk of handle.createReadStream({ end: maxBytes, autoClose: false })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > maxBytes) throw new Error(`it must have at most ${maxBytes / 1_000_000} MB`)
    if (!isUtf8(bytes)) throw new Error('its encoding must be UTF-8')
    // The decoder removes a byte order mark, which some editors write.
    return new TextDecoder().decode(bytes)
  } finally {
    await handle.close()
  }
}
