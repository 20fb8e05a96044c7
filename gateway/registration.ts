import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Api, ApiFault, ApiRefusal } from '#api'

/** Milliseconds between two attempts: doubled each time, with jitter. */
const pause = { first: 250, longest: 10_000 } as const

/**
 * Tells the service where callbacks go and what they are signed with, again and again until it has accepted
 * (docs/decisions.md, Callback: Registration). Ends early when the gateway stops.
 * @returns whether the service has accepted
 */
export async function registerAtService(
  api: Api,
  url: string,
  key: string,
  log: Logger,
  stopping: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; !stopping.aborted; attempt++) {
    const failure = await registerOnce(api, url, key, stopping)
    if (failure === undefined) {
      log.info({ url }, 'the service sends its callbacks here')
      return true
    }
    if (stopping.aborted) break
    const doubled = Math.min(pause.longest, pause.first * 2 ** attempt)
    const length = Math.max(doubled * (0.5 + Math.random() / 2), (failure.retryAfter ?? 0) * 1_000)
    log.warn({ why: failure.why, again: Math.round(length) }, 'the service has not been told where callbacks go')
    await sleep(length, undefined, { signal: stopping }).catch(() => {})
  }
  return false
}

async function registerOnce(api: Api, url: string, key: string, signal: AbortSignal) {
  try {
    // With resetKey a service takes over a rotated key too; to send the one in force changes nothing.
    const request = { url, authType: 'HMAC', authKey: key, resetKey: true } as const
    const { authKey } = await api.call('ConfigureCallback', request, { signal })
    if (authKey !== null && authKey !== key) return { why: 'it made a key of its own instead of taking ours' }
    return undefined
  } catch (error) {
    if (error instanceof ApiRefusal) return { why: `${error.code}: ${error.message}` }
    if (error instanceof ApiFault) return { why: `${error.code}: ${error.message}`, retryAfter: error.retryAfter }
    throw error
  }
}
