import type { Readable } from 'node:stream'

/** Bytes of the longest message that is looked into; the service's own are below 3 KiB. */
export const longestMessage = 64 * 1024

/** Bytes up to which a body is kept, so that its signature can be checked. */
const longestKept = 1024 * 1024

/** A body as it came, since a signature covers bytes and not what they mean. */
export interface RawBody {
  readonly bytes: number
  /** Undefined when the body is too long to keep. */
  readonly text: string | undefined
}

export const noBody: RawBody = { bytes: 0, text: '' }

/**
 * Reads a body to its end whatever its length: a sender that is cut off while it writes sees no answer, and would try
 * again without end. The server's request time-out bounds it.
 */
export async function readBody(stream: Readable): Promise<RawBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= longestKept) chunks.push(chunk)
    else chunks.length = 0
  }
  return { bytes, text: bytes <= longestKept ? Buffer.concat(chunks).toString('utf8') : undefined }
}
