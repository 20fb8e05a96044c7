import type { Api } from '#api'
import { translated } from './failures.ts'
import { fetchFile } from './fetchFile.ts'
import type { ImportedSuggestions, ImportOrder, ImportProgress } from './interface.ts'

/** What an activity that takes a while has of Temporal. */
export interface Attempt {
  /** Aborted when the flow is cancelled or the worker stops. */
  readonly signal: AbortSignal
  heartbeat(progress: ImportProgress): void
}

/** Row errors that a result has; a file can have a hundred thousand, and a history takes two megabytes at a time. */
const mostErrorLogs = 100

/** Milliseconds between two heartbeats while nothing moves. */
const pulse = 2_000

/**
 * Fetches a file and uploads it, in one activity: a file is too large for a history. What is given up half-way
 * changes nothing; an upload whose answer was lost is sent again, and answered as if it followed itself.
 */
export async function importSuggestions(
  api: Api,
  { url, reference }: ImportOrder,
  privateAllowed: boolean,
  { signal, heartbeat }: Attempt,
): Promise<ImportedSuggestions> {
  const progress: ImportProgress = { fetched: 0, sent: 0, size: null }
  const tell = () => heartbeat({ ...progress })
  const timer = setInterval(tell, pulse)
  const moved = (field: 'fetched' | 'sent', bytes: number) => {
    progress[field] = bytes
    tell()
  }
  try {
    const file = await fetchFile(url, { privateAllowed, signal, onFetched: bytes => moved('fetched', bytes) })
    progress.size = file.bytes.length
    const onSent = (bytes: number) => moved('sent', progress.sent + bytes)
    return await translated(async () => {
      const answer = await api.upload('UploadAccountSuggestions', { reference }, file, { signal, onSent })
      return { ...answer, errorLogs: answer.errorLogs.slice(0, mostErrorLogs) }
    })
  } finally {
    clearInterval(timer)
  }
}
