import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Missing } from '#contract'
import type { ProbeFault } from './grpc.ts'

/** Milliseconds between two probes while Temporal is unavailable. */
const probeInterval = 500

/** Milliseconds without a signal that Temporal accepted, after which the next probe is due. */
const idleInterval = 10_000

/** The gateway is ready while Temporal accepts signals and the service knows the callback address. */
export interface Readiness {
  readonly state: { readonly temporal: boolean; readonly service: boolean }
  /** The parts that are missing now. Everyone reads them, so the address of Temporal is only in the log. */
  missing(): readonly Missing[]
  /** Resolves when the gateway is ready for the first time. */
  readonly first: Promise<void>
  /** The service accepted the gateway's address and key. */
  registered(): void
  temporalAvailable(): void
  /**
   * Starts to probe, until Temporal is available again. Has no effect if another call succeeded meanwhile: signals that were sent
   * during an outage fail after its end.
   * @param startedAt when the failed call began, by `performance.now()`
   */
  temporalUnavailable(startedAt?: number): void
  isReady(): boolean
}

/**
 * Not ready at first. Probing starts immediately, and continues while no callback shows whether Temporal accepts signals.
 * @param probe returns undefined when Temporal can be used
 * @param interval milliseconds between two probes without callbacks
 */
export function createReadiness(
  probe: () => Promise<ProbeFault | undefined>,
  log: Logger,
  stopping: AbortSignal,
  interval = idleInterval,
): Readiness {
  const state = { temporal: false, service: false }
  const first = Promise.withResolvers<void>()
  let probing = false
  /** By `performance.now()`. */
  let availableAt = Number.NEGATIVE_INFINITY
  let lastFault: ProbeFault | undefined
  const isReady = () => state.temporal && state.service && !stopping.aborted
  const settle = () => {
    if (isReady()) first.resolve()
  }

  function temporalAvailable(): void {
    if (!state.temporal) log.info('Temporal available')
    state.temporal = true
    availableAt = performance.now()
    settle()
  }

  function temporalUnavailable(startedAt = performance.now()): void {
    if (startedAt < availableAt) return
    state.temporal = false
    if (!probing) void keepProbing()
  }

  async function keepProbing(): Promise<void> {
    probing = true
    let logged: string | undefined
    while (!state.temporal && !stopping.aborted) {
      const fault = await probe()
      if (fault === undefined) temporalAvailable()
      // The gateway has closed the connection of the probe.
      else if (!stopping.aborted) {
        const { reason } = fault
        lastFault = fault
        if (reason !== logged) log.error({ logId: 'temporal-unavailable', reason }, 'Temporal unavailable')
        logged = reason
        await sleep(probeInterval, undefined, { signal: stopping }).catch(() => {})
      }
    }
    probing = false
  }

  async function probeWhileIdle(): Promise<void> {
    while (!stopping.aborted) {
      const left = availableAt + interval - performance.now()
      await sleep(left > 0 ? left : interval, undefined, { signal: stopping, ref: false }).catch(() => {})
      const startedAt = performance.now()
      if (stopping.aborted || !state.temporal || startedAt - availableAt < interval) continue
      const fault = await probe()
      if (fault === undefined) temporalAvailable()
      else if (!stopping.aborted) {
        lastFault = fault
        temporalUnavailable(startedAt)
      }
    }
  }

  void keepProbing()
  void probeWhileIdle()
  return {
    state,
    first: first.promise,
    isReady,
    missing: () => [
      ...(stopping.aborted ? [{ name: 'running', reason: 'the gateway is stopping' } as const] : []),
      ...(state.temporal ? [] : [toMissing(lastFault)]),
      ...(state.service ? [] : [notRegistered]),
    ],
    temporalAvailable,
    registered() {
      state.service = true
      settle()
    },
    temporalUnavailable,
  }
}

const notRegistered = {
  name: 'registration',
  reason: 'the service has not accepted the callback address yet; the log line registration-failed says why',
} as const satisfies Missing

function toMissing(fault: ProbeFault | undefined): Missing {
  if (fault === undefined) return { name: 'temporal', reason: 'Temporal has not answered yet' }
  return { name: fault.lacks, reason: `${texts[fault.lacks]}; the log line temporal-unavailable says why` }
}

const texts = {
  temporal: 'Temporal does not accept signals',
  namespace: 'Temporal does not have the namespace',
  permission: 'Temporal denies access',
} as const satisfies Record<ProbeFault['lacks'], string>
