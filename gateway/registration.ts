import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Api, ApiFault, ApiRefusal, requestedPause } from '#contract/client'

/** Milliseconds between two attempts, doubled each time, with jitter. */
const backoff = { initial: 250, maximum: 10_000 } as const

const withoutOperation =
  'If LOCKERFLOW_BASE_URL is right, the service has no ConfigureCallback: register the address there by hand and set LOCKERFLOW_CALLBACK_REGISTRATION=manual.'

/**
 * Registers the callback address and its key with the service, and retries until the service accepts. Stops early when the gateway stops.
 * @returns true when the service accepted
 */
export async function registerCallback(
  api: Api,
  url: string,
  key: string,
  log: Logger,
  stopping: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; !stopping.aborted; attempt++) {
    const failure = await registerOnce(api, url, key, stopping)
    if (failure === undefined) {
      log.info({ url }, 'callback address registered')
      return true
    }
    if (stopping.aborted) break
    const doubled = Math.min(backoff.maximum, backoff.initial * 2 ** attempt)
    const pause = Math.max(doubled * (0.5 + Math.random() / 2), requestedPause(failure))
    log.warn(
      { logId: 'registration-failed', reason: failure.reason, retryInMs: Math.round(pause) },
      'callback registration failed',
    )
    await sleep(pause, undefined, { signal: stopping }).catch(() => {})
  }
  return false
}

/** For a service without ConfigureCallback: tells the address that a person has to register there. */
export async function expectCallbacks(url: string, log: Logger): Promise<true> {
  log.info({ url }, 'callback address is registered by a person')
  return true
}

async function registerOnce(api: Api, url: string, key: string, signal: AbortSignal) {
  try {
    // `resetKey` makes the service accept a rotated key. Sending the key in force changes nothing.
    const request = { url, authType: 'HMAC', authKey: key, resetKey: true } as const
    const { authKey } = await api.call('ConfigureCallback', request, { signal })
    if (authKey !== null && authKey !== key) return { reason: 'the service made a key of its own' }
    return undefined
  } catch (error) {
    if (error instanceof ApiRefusal) return { reason: `${error.code}: ${error.message}` }
    if (error instanceof ApiFault) {
      const remedy = error.code === 'UnknownOperation' ? ` ${withoutOperation}` : ''
      return { reason: `${error.code}: ${error.message}${remedy}`, retryAfter: error.retryAfter }
    }
    throw error
  }
}
