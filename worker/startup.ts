import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createLogThrottle } from '#platform/logs'
import type { WorkerSettings } from './settings.ts'
import { isTransient } from './temporalErrors.ts'
import { type RunningWorker, startWorker } from './worker.ts'

/** Milliseconds between two attempts to start. */
const retryInterval = 1_000

/** A worker that may still wait for Temporal. */
export interface StartingWorker extends Pick<RunningWorker, 'notReadyReason'> {
  /** Resolves when the worker polls. Rejects when no later attempt can succeed. */
  readonly started: Promise<RunningWorker>
}

/**
 * Starts a worker as soon as Temporal can be reached. A wrong namespace, wrong credentials and missing search attributes
 * end the start.
 * @param log gets the reason while Temporal is unavailable, once per interval
 */
export function startWhenReachable(settings: WorkerSettings, log: Pick<Logger, 'warn'>): StartingWorker {
  const throttled = createLogThrottle()
  let running: RunningWorker | undefined
  let notReady = 'the worker is starting'

  async function start(): Promise<RunningWorker> {
    for (;;) {
      try {
        running = await startWorker(settings)
        return running
      } catch (error) {
        if (!isTransient(error)) throw error
        const reason = error instanceof Error ? error.message : String(error)
        // Everyone reads it, so the address of Temporal is only in the log (D-415).
        notReady = 'TEMPORAL_ADDRESS: Temporal does not answer; the log line worker-not-ready says why'
        throttled(reason, () => log.warn({ logId: 'worker-not-ready', reason }, 'worker not ready'))
      }
      await sleep(retryInterval)
    }
  }

  return { started: start(), notReadyReason: async () => (running === undefined ? notReady : running.notReadyReason()) }
}
