import { FormData } from 'undici'
import type { OperationName } from '#contract'
import { fault } from './failures.ts'
import { maxUploadBytes } from './settings.ts'

/** A file to upload. The extension of its name must match its content. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface UploadOptions {
  /** Aborts the upload. */
  readonly signal?: AbortSignal
  /** Called with the number of bytes of each chunk that was sent. */
  readonly onSent?: (bytes: number) => void
}

/**
 * The body of an upload (specification, UploadAccountSuggestions).
 * @throws ApiFault when the file is too large
 */
export function toFormData(operation: OperationName, request: unknown, { name, bytes }: UploadedFile): FormData {
  if (bytes.length > maxUploadBytes) {
    const details = { code: 'RequestTooLarge', retryable: false, outcomeUnknown: false } as const
    throw fault(details, `${operation}: ${bytes.length} bytes, the maximum is ${maxUploadBytes}`)
  }
  const form = new FormData()
  form.set('data', JSON.stringify(request))
  form.set('file', new Blob([bytes]), name)
  return form
}
