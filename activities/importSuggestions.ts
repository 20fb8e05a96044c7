import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { Api } from '#contract/client'
import { withReference } from '#contract/terms'
import { jsonBytes, outputLimits } from '#flows'
import { withApplicationFailures } from './failures.ts'
import { fetchFile } from './fetchFile.ts'
import type { ImportedSuggestions, ImportProgress, ImportSuggestionsInput } from './interface.ts'

/** The part of the activity context that long activities need. */
export interface AttemptContext {
  /** Aborted when the flow is cancelled or the worker stops. */
  readonly signal: AbortSignal
  heartbeat(progress: ImportProgress): void
}

/** Limits of the row errors in a result: a file can have a hundred thousand. The bytes leave room for the counters. */
const maxErrorLogs = { rows: 100, bytes: outputLimits.step - 1_024 } as const

/** Milliseconds between two heartbeats without progress. */
const heartbeatInterval = 2_000

/** Maximum number of concurrent imports from one host in this process: its slow files must leave slots for other hosts. */
const maxImportsOfHost = 5

/** The imports in progress, by host. */
const inProgress = new Map<string, number>()

/**
 * Fetches a file and uploads it in one activity: a file is too large for a history. An aborted upload changes nothing.
 * After a lost response the upload is retried, and the service compares the file with itself.
 */
export async function importSuggestions(
  api: Api,
  input: ImportSuggestionsInput,
  allowPrivateNetworks: boolean,
  context: AttemptContext,
): Promise<ImportedSuggestions> {
  // fetchFile refuses an invalid address.
  const host = URL.parse(input.url)?.hostname ?? ''
  const count = inProgress.get(host) ?? 0
  if (count >= maxImportsOfHost) throw busyHost()
  inProgress.set(host, count + 1)
  try {
    return await fetchAndUpload(api, input, allowPrivateNetworks, context)
  } finally {
    const left = (inProgress.get(host) ?? 1) - 1
    if (left > 0) inProgress.set(host, left)
    else inProgress.delete(host)
  }
}

/** Benign, because it is expected and must not fill the error log. The attempt frees its slot, and Temporal retries it. */
function busyHost(): ApplicationFailure {
  const text = `${maxImportsOfHost} files of this host are being imported.`
  return ApplicationFailure.create({
    type: 'FileNotFetched',
    message: withReference('FileNotFetched', text),
    category: ApplicationFailureCategory.BENIGN,
  })
}

async function fetchAndUpload(
  api: Api,
  { url, reference }: ImportSuggestionsInput,
  allowPrivateNetworks: boolean,
  { signal, heartbeat }: AttemptContext,
): Promise<ImportedSuggestions> {
  const progress: ImportProgress = { fetched: 0, sent: 0, size: null }
  const report = () => heartbeat({ ...progress })
  const timer = setInterval(report, heartbeatInterval)
  const onProgress = (field: 'fetched' | 'sent', bytes: number) => {
    progress[field] = bytes
    report()
  }
  try {
    const onFetched = (bytes: number) => onProgress('fetched', bytes)
    const file = await fetchFile(url, { allowPrivateNetworks, signal, onFetched })
    progress.size = file.bytes.length
    const onSent = (bytes: number) => onProgress('sent', progress.sent + bytes)
    return await withApplicationFailures(async () => {
      const response = await api.upload('UploadAccountSuggestions', { reference }, file, { signal, onSent })
      return { ...response, errorLogs: firstOf(response.errorLogs) }
    })
  } finally {
    clearInterval(timer)
  }
}

function firstOf(errorLogs: ImportedSuggestions['errorLogs']): ImportedSuggestions['errorLogs'] {
  let bytes = 0
  const tooMany = errorLogs.findIndex((log, index) => {
    bytes += jsonBytes({ ...log }) + 1
    return index >= maxErrorLogs.rows || bytes > maxErrorLogs.bytes
  })
  return tooMany < 0 ? errorLogs : errorLogs.slice(0, tooMany)
}
