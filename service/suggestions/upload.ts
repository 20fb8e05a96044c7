import type { FileHandle } from 'node:fs/promises'

/** A file on the disk. The function that opened it closes the handle. */
export interface UploadedFile {
  /** Undefined if the part had no file name. */
  readonly name: string | undefined
  readonly handle: FileHandle
  /** Bytes. */
  readonly size: number
}

/** The input of the process that reads a file, which has the file open. */
export interface ReadRequest {
  /** Undefined if the part had no file name. */
  readonly name: string | undefined
  readonly limits: UploadLimits
  /** Uids and names of the caller's pick up points. */
  readonly pickUpPoints: readonly string[]
}

/** An invalid row and the reason. */
export interface ErrorLog {
  /** The number of the row in the file, the header being row 1. */
  readonly id: number
  readonly message: string
}

/** Refused rows that a response lists. It bounds the size of the response of a file whose rows are all wrong. */
export const maxErrorLogs = 10_000

/** A part of a file's rows. Slices keep the inserts short. */
export interface Slice {
  readonly lineCount: number
  /** JSON: the values of each accepted row, see `insertLines`. The service passes the bytes on to the store. */
  readonly lines: Buffer | undefined
  /** Refused rows; the first slice has those of the whole file. */
  readonly errorCount: number
  /** At most `maxErrorLogs`. */
  readonly errorLogs: readonly ErrorLog[]
  /** JSON: pairs of a word and the position of a line, sorted over all slices, so that inserts append to the index. */
  readonly words: Buffer | undefined
}

/** Message for an upload that expires before it is active, and is being deleted. */
export const tookTooLong = 'The upload took too long; send it again.'

/** An upload in the store that is not active yet. */
export interface StagedUpload {
  readonly uploadId: string
  readonly fileName: string | undefined
  readonly lineCount: number
  /** All refused rows. */
  readonly errorCount: number
  /** The first refused rows, of a bounded number. */
  readonly errorLogs: readonly ErrorLog[]
  readonly comparison: UploadComparison
}

/** A staged upload, compared with the upload that was active then. */
export interface UploadComparison {
  /** Empty without one. */
  readonly previousId: string
  /** Addresses in both. */
  readonly existedCount: number
}

/** Limits on the size of an uploaded file and on the cost of reading it. */
export interface UploadLimits {
  /** Reads each file in a process of its own. Without it, which is for tests only, `timeout` and `heap` limit nothing. */
  readonly ownProcess: boolean
  /** Bytes of the uploaded file. */
  readonly fileBytes: number
  /** Bytes of an .xlsx file's needed parts when unpacked. */
  readonly unpackedBytes: number
  /** Non-empty rows below the header. */
  readonly rows: number
  /** Cells of an .xlsx file, empty ones included. */
  readonly cells: number
  readonly columns: number
  /** Milliseconds for reading a file. */
  readonly timeout: number
  /** Megabytes of heap of the reading process. */
  readonly heap: number
  /** Milliseconds for receiving a body. */
  readonly bodyTimeout: number
  /** Files that one service process reads concurrently, of different tenants. */
  readonly concurrency: number
  /** Uploads of one tenant that may wait while another one of it runs; further ones are refused. */
  readonly queueLength: number
}

export const uploadLimits: UploadLimits = {
  ownProcess: true,
  fileBytes: 10 * 1_024 * 1_024,
  unpackedBytes: 128 * 1_024 * 1_024,
  rows: 100_000,
  cells: 1_500_000,
  columns: 100,
  timeout: 30_000,
  heap: 512,
  bodyTimeout: 60_000,
  concurrency: 2,
  queueLength: 8,
}
