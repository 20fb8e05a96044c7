import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Milliseconds between two probes while Temporal is unavailable. */
const probeInterval = 500

/** The gateway is ready while Temporal accepts signals and the service knows the callback address. */
export interface Readiness {
  readonly state: { readonly temporal: boolean; readonly service: boolean }
  /** Resolves when the gateway is ready for the first time. */
  readonly first: Promise<void>
  /** The service accepted the gateway's address and key. */
  registered(): void
  temporalAvailable(): void
  /** Starts to probe, until Temporal is available again. */
  temporalUnavailable(): void
  isReady(): boolean
}

/**
 * Not ready at first. Probing starts immediately.
 * @param probe returns the reason why Temporal cannot be used; undefined when it can
 */
export function createReadiness(
  probe: () => Promise<string | undefined>,
  log: Logger,
  stopping: AbortSignal,
): Readiness {
  const state = { temporal: false, service: false }
  const first = Promise.withResolvers<void>()
  let probing = false
  const isReady = () => state.temporal && state.service && !stopping.aborted
  const settle = () => {
    if (isReady()) first.resolve()
  }

  function temporalAvailable(): void {
    if (!state.temporal) log.info('Temporal available')
    state.temporal = true
    settle()
  }

  async function keepProbing(): Promise<void> {
    probing = true
    let logged: string | undefined
    while (!state.temporal && !stopping.aborted) {
      const reason = await probe()
      if (reason === undefined) temporalAvailable()
      else {
        if (reason !== logged) log.error({ logId: 'temporal-unavailable', reason }, 'Temporal unavailable')
        logged = reason
        await sleep(probeInterval, undefined, { signal: stopping }).catch(() => {})
      }
    }
    probing = false
  }

  void keepProbing()
  return {
    state,
    first: first.promise,
    isReady,
    temporalAvailable,
    registered() {
      state.service = true
      settle()
    },
    temporalUnavailable() {
      state.temporal = false
      if (!probing) void keepProbing()
    },
  }
}
