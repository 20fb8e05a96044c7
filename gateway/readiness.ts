import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Milliseconds between two probes while Temporal is away. */
const probePause = 500

/** What the gateway needs before callbacks should come to it. */
export interface Readiness {
  readonly state: { readonly temporal: boolean; readonly service: boolean }
  /** Settles when everything has been there at once for the first time. */
  readonly first: Promise<void>
  /** The service knows the gateway's address and key. */
  registered(): void
  temporalUp(): void
  /** Probes until Temporal is there again. */
  temporalAway(): void
  isReady(): boolean
}

/**
 * Not ready at first; probing begins at once.
 * @param probe what is wrong with Temporal; undefined when nothing is
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

  function temporalUp(): void {
    if (!state.temporal) log.info('Temporal answers')
    state.temporal = true
    settle()
  }

  async function keepProbing(): Promise<void> {
    probing = true
    let said: string | undefined
    while (!state.temporal && !stopping.aborted) {
      const why = await probe()
      if (why === undefined) temporalUp()
      else {
        if (why !== said) log.error({ why }, 'Temporal cannot be used')
        said = why
        await sleep(probePause, undefined, { signal: stopping }).catch(() => {})
      }
    }
    probing = false
  }

  void keepProbing()
  return {
    state,
    first: first.promise,
    isReady,
    temporalUp,
    registered() {
      state.service = true
      settle()
    },
    temporalAway() {
      state.temporal = false
      if (!probing) void keepProbing()
    },
  }
}
