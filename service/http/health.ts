import type { FastifyInstance } from 'fastify'
import { failed, healthPaths, type Missing, succeeded, toReadiness } from '#contract'
import type { SigningKeys } from '../auth/index.ts'
import type { AdapterHealth } from '../hardware/index.ts'
import { findWriteFault, isUpToDate, type Store } from '../store/index.ts'
import { sendResult } from './result.ts'

export interface HealthParts {
  readonly store: Store
  readonly keys: SigningKeys
  readonly adapterHealth: Pick<AdapterHealth, 'missing'>
  readonly stopping: AbortSignal
}

/** Time limit of the queries for readiness, in milliseconds. */
const readyTimeout = 2_000

/** Milliseconds for which callers share a check. Anyone may call, and each check is four statements. */
const sharedFor = 100

/**
 * Liveness, and readiness: the service is not stopping, and has its store, its migrations and its signing key. Without its
 * adapters of hardware it stays ready, since only doors need them.
 */
export function healthRoutes(app: FastifyInstance, { store, keys, adapterHealth, stopping }: HealthParts): void {
  const check = shareCheck(() => findMissing(store, keys))
  app.get(healthPaths.live, async () => succeeded)
  app.get(healthPaths.ready, async (request, reply) => {
    const missing = stopping.aborted ? stops : [...(await check()), ...adapterHealth.missing()]
    const readiness = toReadiness(missing)
    if (readiness.ready) return { ...succeeded, ...readiness }
    const body = JSON.stringify({ ...failed('Unavailable', `${missing[0]?.reason}.`), ...readiness })
    return sendResult({ status: 503, body, errorCode: 'Unavailable' }, request, reply)
  })
}

const stops: readonly Missing[] = [{ name: 'running', reason: 'The service is stopping' }]

/** Shares one check between all callers that come while it runs or shortly after its start. */
function shareCheck<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let shared: { readonly result: Promise<Result>; readonly startedAt: number; isRunning: boolean } | undefined
  return () => {
    const now = performance.now()
    if (shared === undefined || (!shared.isRunning && now - shared.startedAt >= sharedFor)) {
      const started = { result: run(), startedAt: now, isRunning: true }
      shared = started
      void started.result.finally(() => {
        started.isRunning = false
      })
    }
    return shared.result
  }
}

async function findMissing(store: Store, keys: SigningKeys): Promise<readonly Missing[]> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, readyTimeout, new Error('no answer'))
  timedOut.catch(() => undefined)
  const within = <Result>(query: Promise<Result>) => Promise.race([query, timedOut])
  try {
    const missing: Missing[] = []
    await within(store.selectFrom('tenants').select('tenant_id').limit(1).execute())
    const fault = await within(findWriteFault(store))
    if (fault !== undefined) missing.push({ name: 'store', reason: fault })
    if (!(await within(isUpToDate(store))))
      missing.push({ name: 'migration', reason: 'Migrations of this version have not run' })
    const { keys: accepted } = await within(keys.read())
    if (!accepted.some(({ kid }) => kid === keys.current().kid))
      missing.push({ name: 'signingKey', reason: 'The key that signs tokens was revoked' })
    return missing
  } catch {
    return [{ name: 'store', reason: 'The store does not respond' }]
  } finally {
    clearTimeout(timer)
  }
}
