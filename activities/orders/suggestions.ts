export interface ImportOrder {
  /** Where the file is fetched from; checked like a callback address. */
  url: string
  reference: string | null
}

/** In the heartbeats of an import, in bytes. */
export interface ImportProgress {
  fetched: number
  sent: number
  /** Of the whole file; null until it is known. */
  size: number | null
}

/** What UploadAccountSuggestions answers, with the first hundred row errors. */
export interface ImportedSuggestions {
  errorCount: number
  errorLogs: { id: number; message: string }[]
  [counter: string]: unknown
}
