import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { OperationError } from '../operationError.ts'
import type { UploadedFile } from '../suggestions/index.ts'

const mediaType = 'multipart/form-data'
/** Maximum number of parts, ignored ones included. */
const maxParts = 8
/** Bytes of boundaries, headers and the part `data`, in addition to the file. */
const allowance = 64 * 1_024
/** Treats all parts alike: clients send `data` with and without a file name. */
const allFiles = { isPartAFile: () => true }

export interface Parts {
  /** Undefined if the part is missing. */
  readonly data: Buffer | undefined
  /** Undefined if the part is missing. */
  readonly file: UploadedFile | undefined
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
 * Reads the parts of an upload and ignores unknown ones.
 * @throws OperationError InvalidRequest when the body is incomplete or not multipart, RequestTooLarge
 */
export async function readParts(request: FastifyRequest, fileBytes: number): Promise<Parts> {
  const found = new Map<string, UploadedFile>()
  let total = 0
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytes, parts: maxParts }, ...allFiles })) {
      const { fieldname, filename, toBuffer } = part as MultipartFile
      const bytes = await toBuffer.call(part)
      total += bytes.length
      if (total > fileBytes + allowance) throw tooLarge()
      if (fieldname !== 'data' && fieldname !== 'file') continue
      if (found.has(fieldname)) throw new OperationError('InvalidRequest', `The part ${fieldname} is given twice.`)
      found.set(fieldname, { name: filename || undefined, bytes })
    }
  } catch (error) {
    throw toOperationError(error)
  }
  const data = found.get('data')
  return { data: data && Buffer.from(data.bytes), file: found.get('file') }
}

function toOperationError(error: unknown): unknown {
  if (error instanceof OperationError) return error
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 413) return tooLarge()
  // The parser throws many kinds of errors for a malformed body.
  return new OperationError('InvalidRequest', `The body must be complete ${mediaType}.`)
}

function tooLarge(): OperationError {
  return new OperationError(
    'RequestTooLarge',
    'The file is larger than the service accepts, or the body has too many parts.',
  )
}
