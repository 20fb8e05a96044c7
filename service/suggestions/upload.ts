import type { Suggestion } from '#contract'
import type { UploadLimits } from './limits.ts'

/** A file as it came. */
export interface UploadedFile {
  /** Undefined when its part had none. */
  readonly name: string | undefined
  readonly bytes: Uint8Array
}

/** What the process that reads a file is given. */
export interface Reading {
  readonly file: UploadedFile
  readonly limits: UploadLimits
  /** Uids and names of the caller's pick up points. */
  readonly pickUpPoints: readonly string[]
}

/** A row of a file that can be kept. */
export interface SuggestionLine extends Suggestion {
  /** The number of the row in the file, the header being row 1. */
  readonly row: number
}

/** A row that cannot be kept, and why. */
export interface ErrorLog {
  /** The number of the row in the file, the header being row 1. */
  readonly id: number
  readonly message: string
}

/** Some of what was read; a file comes in slices, so that nobody has to wait for all of it. */
export interface Slice {
  readonly lines: readonly SuggestionLine[]
  readonly errorLogs: readonly ErrorLog[]
}

/** What was read of an upload and waits in the store to become the active one. */
export interface StagedUpload {
  readonly uploadId: string
  readonly fileName: string | undefined
  readonly lineCount: number
  readonly errorLogs: readonly ErrorLog[]
}
