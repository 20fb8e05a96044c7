import type { LogThrottle } from '#logs'
import { createDeadLetterReport } from './deadLetters.ts'
import type { DrainParts } from './interface.ts'
import { maxRetryAfter } from './retryPolicy.ts'
import { recallDistantRetries, type TenantWithWork } from './schedule.ts'

interface UpkeepParts extends Pick<DrainParts, 'store' | 'log' | 'clock' | 'stopping'> {
  readonly throttled: LogThrottle
}

/** Recalls distant retries and reports callbacks that were given up, after a poll. The claims do not wait for it. */
export function createUpkeep({ store, log, clock, stopping, throttled }: UpkeepParts) {
  const reportDead = createDeadLetterReport(store, log)
  let running: Promise<void> | undefined

  /** A failure ends nothing else. A later poll finds the recalled retries. */
  async function keepUp(found: readonly TenantWithWork[]): Promise<void> {
    for (const { tenant_id: tenantId, isDistant } of found) {
      if (!isDistant || stopping.aborted) continue
      await recallDistantRetries(store, clock, tenantId, maxRetryAfter).catch(error =>
        throttled(`not recalled ${tenantId}`, suppressed => {
          log.warn({ logId: 'retries-not-recalled', tenantId, err: error, suppressed }, 'callback retries not recalled')
        }),
      )
    }
    if (!stopping.aborted) await reportDead()
  }

  return {
    /** Does nothing while the work of an earlier poll is running. */
    start(found: readonly TenantWithWork[]): void {
      running ??= keepUp(found).finally(() => {
        running = undefined
      })
    },
    async end(): Promise<void> {
      await running
    },
  }
}
