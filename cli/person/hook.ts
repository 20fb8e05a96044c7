import type { ErasureReport, Staying } from '#service'

/** Milliseconds. */
const timeout = 30_000

const rest = 'delete the closed flows of the person, or wait for the retention of the namespace'

/** Histories without a hook, of a person whose keys this store had. */
const withoutNames: Staying = {
  what: 'histories of flows in Temporal, without names and addresses',
  reason: `their keys are forgotten; for descriptions and references of shipments, ${rest}`,
}

/** Without keys, or with keys in a store of their own. */
const withNames: Staying = {
  what: 'histories of flows in Temporal',
  reason: `this store had no key of the person, and LOCKERFLOW_ERASURE_URL is not set; ${rest}`,
}

/**
 * Asks the orchestrator's side to forget a person: `POST` of `{ "userUid": "…" }` to LOCKERFLOW_ERASURE_URL (D-204).
 * @param url undefined without a hook
 * @returns what stays
 * @throws Error when the hook is configured and does not answer with a status of 200 to 299
 */
export async function callErasureHook(
  url: string | undefined,
  { userUid, forgottenKeys }: Pick<ErasureReport, 'userUid' | 'forgottenKeys'>,
): Promise<readonly Staying[]> {
  if (url === undefined) return [forgottenKeys > 0 ? withoutNames : withNames]
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
