import { once } from 'node:events'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { OperationError } from '../operationError.ts'
import { isDiskError, openUnnamedFile, type UploadedFile, type UploadLimits } from '../suggestions/index.ts'
import type { BodyRate } from './bodyRate.ts'

const mediaType = 'multipart/form-data'
/** Maximum number of parts, ignored ones included. */
const maxParts = 8
/** Bytes of boundaries, headers and the part `data`, in addition to the file. */
const allowance = 64 * 1_024
/** Bytes of the part `data`, which is parsed in the thread that serves all tenants. */
const maxDataBytes = 64 * 1_024
/** Reads all parts in the same way: clients send `data` with and without a file name. */
const allFiles = { isPartAFile: () => true }

export interface Parts {
  /** Undefined if the part is missing. */
  data: Buffer | undefined
  /** On the disk. Undefined if the part is missing. */
  file: UploadedFile | undefined
}

export interface PartsOptions extends Pick<UploadLimits, 'fileBytes' | 'bodyTimeout'> {
  /** Undefined without a limit. */
  readonly bodyRate: BodyRate | undefined
}

/**
 * Checks media type and size of an upload before its body is read.
 * @throws OperationError UnsupportedMediaType, RequestTooLarge
 */
export function checkUploadHeaders({ headers }: FastifyRequest, fileBytes: number): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== mediaType) {
    throw new OperationError('UnsupportedMediaType', `The body must be ${mediaType}.`)
  }
  if (Number(headers['content-length'] ?? 0) > fileBytes + allowance) throw tooLarge()
}

/**
 * Receives the parts of an upload, the file on the disk, and runs `work` with them. Unknown parts are ignored. The file is
 * deleted when `work` ends.
 * @throws OperationError InvalidRequest for a body that is incomplete, too slow or not multipart, RequestTooLarge,
 * Unavailable when the disk cannot store the file
 */
export async function withParts<Result>(
  request: FastifyRequest,
  options: PartsOptions,
  work: (parts: Parts) => Promise<Result>,
): Promise<Result> {
  const parts: Parts = { data: undefined, file: undefined }
  const { bodyTimeout } = options
  const timeout = new AbortController()
  const expired = once(timeout.signal, 'abort').then(() => Promise.reject(timeout.signal.reason))
  const timer = setTimeout(() => timeout.abort(tooSlow(bodyTimeout)), bodyTimeout)
  try {
    await Promise.race([receive(request, parts, options, timeout.signal), expired])
    clearTimeout(timer)
    return await work(parts)
  } catch (error) {
    // The application discards the rest of the body.
    request.raw.unpipe()
    throw error
  } finally {
    clearTimeout(timer)
    await parts.file?.handle.close()
  }
}

async function receive(
  request: FastifyRequest,
  parts: Parts,
  { fileBytes, bodyRate }: PartsOptions,
  signal: AbortSignal,
): Promise<void> {
  let total = 0
  async function* chunksOf(content: MultipartFile['file']): AsyncGenerator<Buffer> {
    // A handle cannot be closed while a write waits for the next chunk.
    signal.addEventListener('abort', () => content.destroy(signal.reason), { once: true })
    for await (const chunk of content as AsyncIterable<Buffer>) {
      total += chunk.length
      if (content.truncated || total > fileBytes + allowance) throw tooLarge()
      bodyRate?.spend(request, chunk.length)
      await bodyRate?.ready(request)
      yield chunk
    }
  }
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytes, parts: maxParts }, ...allFiles })) {
      const { fieldname: name, filename, file: content } = part as MultipartFile
      if ((name === 'data' || name === 'file') && parts[name] !== undefined) {
        throw new OperationError('InvalidRequest', `The part ${name} is given twice.`)
      }
      const chunks = chunksOf(content)
      if (name === 'data') parts.data = await readData(chunks)
      else if (name === 'file') await storeFile(parts, filename ? decodeFileName(filename) : undefined, chunks, signal)
      else await discard(chunks)
    }
  } catch (error) {
    if (!(hasIgnoredPart(error) && request.raw.complete)) throw toOperationError(error)
  }
}

/** The library skips a part such as `constructor`, and throws when the body has ended. */
function hasIgnoredPart(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION'
}

/** The characters that a browser encodes in the name of a file (HTML, multipart/form-data), and no others. */
const encoded: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

function decodeFileName(name: string): string {
  return name.replaceAll(/%22|%0D|%0A/g, code => encoded[code] ?? code)
}

async function readData(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const read: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxDataBytes) {
      throw new OperationError('RequestTooLarge', `The part data must have at most ${maxDataBytes} bytes.`)
    }
    read.push(chunk)
  }
  return Buffer.concat(read)
}

async function storeFile(
  parts: Parts,
  name: string | undefined,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const handle = await openUnnamedFile()
  if (signal.aborted) await handle.close()
  signal.throwIfAborted()
  // Before the first byte arrives, so that the handle is closed whatever happens.
  parts.file = { name, handle, size: 0 }
  await handle.writeFile(chunks)
  parts.file = { name, handle, size: (await handle.stat()).size }
}

async function discard(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) void chunk
}

function toOperationError(error: unknown): unknown {
  if (error instanceof OperationError) return error
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 413) return tooLarge()
  if (isDiskError(error)) {
    return new OperationError('Unavailable', 'The service cannot store the file; try again later.', { cause: error })
  }
  // The parser throws many kinds of errors for a malformed body.
  return new OperationError('InvalidRequest', `The body must be complete ${mediaType}.`)
}

function tooLarge(): OperationError {
  return new OperationError(
    'RequestTooLarge',
    'The file is larger than the service accepts, or the body has too many parts.',
  )
}

function tooSlow(timeout: number): OperationError {
  return new OperationError('InvalidRequest', `The body must arrive within ${timeout / 1_000} seconds.`)
}
