import type { Readable } from 'node:stream'

/** Longer messages are rejected unread. The service's own are below 3 KiB. */
export const maxMessageBytes = 64 * 1024

/** Longer bodies are not buffered, so their signature cannot be verified. */
const maxBufferedBytes = 1024 * 1024

/** An unparsed body: the signature covers its bytes. */
export interface RawBody {
  readonly bytes: number
  /** Undefined when the body is too long to buffer. */
  readonly text: string | undefined
}

export const noBody: RawBody = { bytes: 0, text: '' }

/**
 * Reads a body to its end, whatever its length: a sender that is cut off while it writes sees no response and retries
 * without end. The server's request timeout bounds it.
 */
export async function readBody(stream: Readable): Promise<RawBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBufferedBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return { bytes, text: bytes <= maxBufferedBytes ? Buffer.concat(chunks).toString('utf8') : undefined }
}
