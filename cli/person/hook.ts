import type { Staying } from '#service'

/** Milliseconds. */
const timeout = 30_000

/**
 * Asks the orchestrator's side to forget a person: `POST` of `{ "userUid": "…" }` to LOCKERFLOW_ERASURE_URL (D-204).
 * @param url undefined without a hook
 * @returns what stays
 * @throws Error when the hook is configured and does not answer with a status of 200 to 299
 */
export async function callErasureHook(url: string | undefined, userUid: string): Promise<readonly Staying[]> {
  if (url === undefined) {
    const reason =
      'LOCKERFLOW_ERASURE_URL is not set; delete the closed flows of the person, or wait for the retention of the namespace'
    return [{ what: 'histories of flows in Temporal', reason }]
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userUid }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  }).catch((error: unknown) => {
    throw new Error(`LOCKERFLOW_ERASURE_URL: must be reachable: ${error instanceof Error ? error.message : error}.`)
  })
  await response.body?.cancel()
  if (response.ok) return []
  throw new Error(`LOCKERFLOW_ERASURE_URL: must answer with 2xx, and answered ${response.status}. Erase again.`)
}
