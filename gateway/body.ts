import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** Longer messages are rejected. The service's own are below 3 KiB. */
export const maxMessageBytes = 64 * 1024

/** Bodies that are read at the same time: at most 64 MiB of buffers for requests that no signature has proved yet. */
const maxReading = 1_024

/**
 * Bytes per second that are read beyond that length, of all senders together: they prove nothing that is accepted, and
 * each is hashed.
 */
const excessRate = 8 * 1024 * 1024

/** Milliseconds of that rate that may arrive at once. */
const excessBurst = 100

export interface RawBody {
  readonly bytes: number
  /** The unparsed content, which the signature covers. Undefined when it is longer than `maxMessageBytes`. */
  readonly content: Buffer | undefined
}

/** Reads a body to its end, whatever its length, and passes each part of it to `onBytes`. */
export type ReadBody = (stream: Readable, onBytes: (bytes: Buffer) => void) => Promise<RawBody>

/**
 * A sender that is cut off while it writes sees no response and retries forever, so a long body is read to its end,
 * without a buffer. The server's request timeout bounds it. When too many bodies are read at once, the oldest is cut
 * off: a callback arrives within milliseconds, so only slow senders grow old.
 * @param limit bodies that are read at the same time
 * @param rate bytes per second beyond the longest message, at which TCP slows the senders down
 */
export function createBodyReader(limit = maxReading, rate = excessRate): ReadBody {
  const reading = new Set<Readable>()
  /** The time until which the rate covers the bytes beyond the longest messages. */
  let paidAt = 0

  async function payExcess(bytes: number): Promise<void> {
    const now = performance.now()
    paidAt = Math.max(now, paidAt) + (bytes / rate) * 1_000
    const wait = paidAt - now - excessBurst
    if (wait > 0) await delay(wait)
  }

  return async (stream, onBytes) => {
    const [oldest] = reading
    if (oldest !== undefined && reading.size >= limit) {
      reading.delete(oldest)
      oldest.destroy()
    }
    reading.add(stream)
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length
        onBytes(chunk)
        if (bytes <= maxMessageBytes) chunks.push(chunk)
        else {
          chunks.length = 0
          await payExcess(chunk.length)
        }
      }
    } finally {
      reading.delete(stream)
    }
    return { bytes, content: bytes <= maxMessageBytes ? Buffer.concat(chunks) : undefined }
  }
}
