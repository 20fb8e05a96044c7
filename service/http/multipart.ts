import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../operations/call.ts'
import type { UploadedFile } from '../suggestions/index.ts'

const mediaType = 'multipart/form-data'
/** Parts that are of no interest to anybody, and the two that are. */
const mostParts = 8
/** What boundaries, headers and the part `data` may add to the bytes of the file. */
const allowance = 64 * 1_024

export interface Parts {
  /** Undefined when there is none, as for `file`. */
  readonly data: Buffer | undefined
  readonly file: UploadedFile | undefined
}

/**
 * Checks what can be known of an upload before its body is read.
 * @throws Refusal UnsupportedMediaType, RequestTooLarge
 */
export function checkUploadHeaders({ headers }: FastifyRequest, fileBytes: number): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== mediaType) {
    throw new Refusal('UnsupportedMediaType', `The body has to be ${mediaType}.`)
  }
  if (Number(headers['content-length'] ?? 0) > fileBytes + allowance) throw tooLarge()
}

/**
 * Reads the parts of an upload; unknown ones are ignored.
 * @throws Refusal InvalidRequest when the body is cut off or not multipart, RequestTooLarge
 */
export async function readParts(request: FastifyRequest, fileBytes: number): Promise<Parts> {
  const found = new Map<string, UploadedFile>()
  let total = 0
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytes, parts: mostParts }, ...allFiles })) {
      const { fieldname, filename, toBuffer } = part as MultipartFile
      const bytes = await toBuffer.call(part)
      total += bytes.length
      if (total > fileBytes + allowance) throw tooLarge()
      if (fieldname !== 'data' && fieldname !== 'file') continue
      if (found.has(fieldname)) throw new Refusal('InvalidRequest', `The part ${fieldname} is given twice.`)
      found.set(fieldname, { name: filename || undefined, bytes })
    }
  } catch (error) {
    throw refusalOf(error)
  }
  const data = found.get('data')
  return { data: data && Buffer.from(data.bytes), file: found.get('file') }
}

/** One way for all parts: whether a part has a file name says nothing about what it is. */
const allFiles = { isPartAFile: () => true }

function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 413) return tooLarge()
  // The parser says in many words, and errors of many kinds, that it is not what it expected.
  return new Refusal('InvalidRequest', `The body cannot be read as ${mediaType}; is it whole?`)
}

function tooLarge(): Refusal {
  return new Refusal('RequestTooLarge', 'The file is larger than the service accepts, or the body has too many parts.')
}
