/** How large an uploaded file may be, and how much it may cost to read it (docs/decisions.md, Suggestions). */
export interface UploadLimits {
  /** Bytes of a file. */
  readonly fileBytes: number
  /** Bytes of what a packed spreadsheet unpacks to. */
  readonly unpackedBytes: number
  /** Rows below the header that are not empty. */
  readonly rows: number
  /** Cells of a packed spreadsheet, empty ones included. */
  readonly cells: number
  readonly columns: number
  /** Milliseconds that reading a file may take. */
  readonly deadline: number
  /** Of the process that reads, in megabytes. */
  readonly heap: number
  /** Files that are read at the same time, in this process. */
  readonly atOnce: number
  /** Files that wait for their turn; more are turned away. */
  readonly waiting: number
}

export const uploadLimits: UploadLimits = {
  fileBytes: 10 * 1_024 * 1_024,
  unpackedBytes: 128 * 1_024 * 1_024,
  rows: 100_000,
  cells: 1_500_000,
  columns: 100,
  deadline: 30_000,
  heap: 512,
  atOnce: 2,
  waiting: 8,
}
