/** Bytes of the length before each text. */
const lengthBytes = 4
/** Maximum number of bytes of UTF-8 for a unit of UTF-16. */
const unitBytes = 3

/**
 * Texts in the order in which they were added. They are UTF-8 in blocks outside of the heap: hundreds of thousands of strings take
 * several times as much memory, and a string cut out of a larger one keeps that one alive.
 */
export interface Texts {
  /** Returns the place of the text. @throws RangeError for a text that may not fit into a block */
  push(text: string): number
  /** Returns the text at a place that `push` returned. */
  at(place: number): string
  /** Yields all texts, and frees each block after its last text. */
  drain(): Generator<string>
}

interface Block {
  readonly bytes: Buffer
  /** Bytes in use. */
  size: number
}

/** @param blockBytes bytes of a block; a text has at most a third of them */
export function createTexts(blockBytes = 1_024 * 1_024): Texts {
  const blocks: Block[] = []

  return {
    at(place) {
      const block = blocks[Math.floor(place / blockBytes)]
      if (block === undefined) throw new RangeError(`no text at ${place}`)
      return readText(block.bytes, place % blockBytes)
    },
    push(text) {
      if (text.length * unitBytes + lengthBytes > blockBytes)
        throw new RangeError(`a text of ${text.length} characters`)
      const size = lengthBytes + Buffer.byteLength(text)
      let block = blocks.at(-1)
      // A text does not span blocks.
      if (block === undefined || block.size + size > blockBytes) {
        block = { bytes: Buffer.allocUnsafeSlow(blockBytes), size: 0 }
        blocks.push(block)
      }
      const start = block.size
      block.bytes.writeUInt32LE(size - lengthBytes, start)
      block.bytes.write(text, start + lengthBytes)
      block.size += size
      return (blocks.length - 1) * blockBytes + start
    },
    *drain() {
      for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
        for (let at = 0; at < block.size; at += lengthBytes + block.bytes.readUInt32LE(at))
          yield readText(block.bytes, at)
      }
    },
  }
}

function readText(bytes: Buffer, at: number): string {
  const from = at + lengthBytes
  return bytes.toString('utf8', from, from + bytes.readUInt32LE(at))
}
