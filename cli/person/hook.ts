import { randomUUID } from 'node:crypto'
import { webhookSignatureHeaders } from '#contract'
import type { ErasureHook, ErasureReport, Staying } from '#service'

/** Milliseconds. */
const timeout = 30_000

/**
 * Asks the orchestrator's side to forget a person: `POST` of `{ "userUid": "…" }` to LOCKERFLOW_ERASURE_URL (D-204), signed
 * with LOCKERFLOW_ERASURE_KEY (D-399).
 * @param hook undefined without a hook
 * @returns what stays: a hook does not say what it has deleted
 * @throws Error when the hook is configured and does not answer with a status of 200 to 299
 */
export async function callErasureHook(
  hook: ErasureHook | undefined,
  report: Pick<ErasureReport, 'userUid' | 'forgottenKeys'>,
): Promise<readonly Staying[]> {
  if (hook !== undefined) await post(hook, JSON.stringify({ userUid: report.userUid }))
  return [report.forgottenKeys > 0 ? withoutNames(report.userUid) : withNames(report.userUid, hook !== undefined)]
}

async function post({ url, key }: ErasureHook, body: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1_000)
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && webhookSignatureHeaders([key], randomUUID(), seconds, body)),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  }).catch((error: unknown) => {
    throw new Error(`LOCKERFLOW_ERASURE_URL: must be reachable: ${error instanceof Error ? error.message : error}.`)
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new Error(`LOCKERFLOW_ERASURE_URL: must answer with 2xx, got ${response.status}. Erase again.`)
}

/** Histories of a person whose keys this store had. */
function withoutNames(userUid: string): Staying {
  return {
    what: 'histories of flows in Temporal, without names and addresses',
    reason: `their keys are forgotten; for descriptions and references of shipments, ${waysOut(userUid)}`,
  }
}

/** Without keys, or with keys in a store of their own. */
function withNames(userUid: string, hasHook: boolean): Staying {
  const hook = hasHook ? 'for what the hook leaves,' : 'and LOCKERFLOW_ERASURE_URL is not set;'
  return {
    what: 'histories of flows in Temporal',
    reason: `this store had no key of the person${hasHook ? ';' : ','} ${hook} ${waysOut(userUid)}`,
  }
}

/** An `onboardAccount` begins before the account exists, so its search attributes have no uid. */
function waysOut(userUid: string): string {
  const accounts =
    'those cases of `lockerflow flow list --flow onboardAccount --state ended` whose result has this userUid'
  return `delete the closed flows of LockerflowUser = '${userUid}' with \`temporal workflow delete\`, and ${accounts}, or wait for the retention of the namespace`
}
