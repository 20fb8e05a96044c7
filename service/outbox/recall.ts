import type { LogThrottle } from '#platform/logs'
import type { DrainParts } from './interface.ts'
import { maxRetryAfter } from './retryPolicy.ts'
import { createSetBackDetector, type FoundWork, findTenantsWithWork, recallDistantRetries } from './schedule.ts'

interface RecallParts extends Pick<DrainParts, 'store' | 'log' | 'clock' | 'delivery' | 'stopping'> {
  readonly throttled: LogThrottle
}

/** Recalls distant retries after a poll. The claims do not wait for it. */
export function createRecall({ store, log, clock, delivery, stopping, throttled }: RecallParts) {
  const isSetBack = createSetBackDetector()
  let isRecallDue = false
  let running: Promise<void> | undefined

  /** A failure ends nothing else. A later poll finds the recalled retries. */
  async function recallFound(found: FoundWork): Promise<void> {
    if (isRecallDue) await recallAll().catch(() => undefined)
    else await recall(found, tenantId => recallDistantRetries(store, clock, tenantId, maxRetryAfter))
  }

  /** Recalls retries that were scheduled before the clock was set back, and requested delays beyond the longest backoff. */
  async function recallAll(): Promise<void> {
    const { maximumInterval } = delivery
    const found = await findTenantsWithWork(store, clock, maximumInterval)
    isRecallDue = !(await recall(found, async tenantId => {
      while (!stopping.aborted && (await recallDistantRetries(store, clock, tenantId, maximumInterval)));
    }))
  }

  /** Returns whether it failed for no tenant. */
  async function recall({ tenants }: FoundWork, recallOf: (tenantId: string) => Promise<unknown>): Promise<boolean> {
    let hasFailed = false
    for (const { tenant_id: tenantId, isDistant } of tenants) {
      if (!isDistant || stopping.aborted) continue
      await recallOf(tenantId).catch(error => {
        hasFailed = true
        throttled(`not recalled ${tenantId}`, suppressed => {
          log.warn({ logId: 'retries-not-recalled', tenantId, err: error, suppressed }, 'callback retries not recalled')
        })
      })
    }
    return !hasFailed
  }

  return {
    /** Does nothing while the work of an earlier poll is running. */
    start(found: FoundWork): void {
      if (found.time !== undefined && isSetBack(found.time)) isRecallDue = true
      running ??= recallFound(found).finally(() => {
        running = undefined
      })
    },
    async end(): Promise<void> {
      await running
    },
  }
}
