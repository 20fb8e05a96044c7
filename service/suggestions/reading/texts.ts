/** Bytes of the length before each text. */
const lengthBytes = 4
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const unitBytes = 3

/**
 * A list of texts that only grows. It keeps them as UTF-8 in blocks outside of the heap: hundreds of thousands of strings
 * take several times as much memory, and a string cut out of a larger one keeps that one alive.
 */
export interface Texts {
  readonly length: number
  /** @throws RangeError for a text that may not fit into a block */
  push(text: string): void
  /** Undefined for an index without a text. */
  at(index: number): string | undefined
  /** Yields all texts, and frees each block behind its last one. */
  drain(): Generator<string>
}

/** @param blockBytes bytes of a block; a text has at most a third of them */
export function createTexts(blockBytes = 1_024 * 1_024): Texts {
  const blocks: (Buffer | undefined)[] = []
  const starts: number[] = []
  let end = 0

  function at(index: number): string | undefined {
    const start = starts[index]
    if (start === undefined) return undefined
    const block = blocks[Math.floor(start / blockBytes)]
    const from = (start % blockBytes) + lengthBytes
    return block?.toString('utf8', from, from + block.readUInt32LE(from - lengthBytes))
  }

  return {
    at,
    get length() {
      return starts.length
    },
    push(text) {
      if (text.length * unitBytes + lengthBytes > blockBytes)
        throw new RangeError(`a text of ${text.length} characters`)
      const size = lengthBytes + Buffer.byteLength(text)
      // A text does not span blocks.
      if (end + size > blocks.length * blockBytes) {
        end = blocks.length * blockBytes
        blocks.push(Buffer.allocUnsafeSlow(blockBytes))
      }
      const block = blocks.at(-1)
      const from = end % blockBytes
      block?.writeUInt32LE(size - lengthBytes, from)
      block?.write(text, from + lengthBytes)
      starts.push(end)
      end += size
    },
    *drain() {
      for (let index = 0, block = 0; index < starts.length; index++) {
        const next = Math.floor((starts[index] ?? 0) / blockBytes)
        if (next > block) blocks[block] = undefined
        block = next
        yield at(index) ?? ''
      }
      blocks.length = 0
    },
  }
}
