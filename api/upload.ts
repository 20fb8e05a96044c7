import { FormData } from 'undici'
import type { OperationName } from '#contract'
import { fault } from './failures.ts'
import { longestUpload } from './settings.ts'

/** A file to be uploaded; its name has to end as its content is. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface UploadOptions {
  /** Gives the upload up. */
  readonly signal?: AbortSignal
  /** Told how many bytes of the body have left, again and again. */
  readonly onSent?: (bytes: number) => void
}

/** The body of an upload (specification, UploadAccountSuggestions). Throws ApiFault when the file is too large. */
export function formOf(operation: OperationName, request: unknown, { name, bytes }: UploadedFile): FormData {
  if (bytes.length > longestUpload) {
    const facts = { code: 'RequestTooLarge', retryable: false, maybeDone: false } as const
    throw fault(facts, `${operation}: ${bytes.length} bytes, ${longestUpload} are allowed`)
  }
  const form = new FormData()
  form.set('data', JSON.stringify(request))
  form.set('file', new Blob([bytes]), name)
  return form
}
