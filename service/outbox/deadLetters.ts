import type { Logger } from 'pino'
import type { Store } from '../store/index.ts'

/** Milliseconds between two reports, and after one that failed: a count of very many rows reaches the time limit of a statement. */
const [reportInterval, failedReportInterval] = [3_600_000, 300_000]

/**
 * Creates a function that logs once an hour how many callbacks of each tenant were given up, if there are any. It logs a failure
 * instead of throwing it.
 */
export function createDeadLetterReport(store: Store, log: Pick<Logger, 'error' | 'warn'>): () => Promise<void> {
  let reportAt = 0
  return async () => {
    if (performance.now() < reportAt) return
    reportAt = performance.now() + reportInterval
    try {
      for (const { tenantId, count } of await countDead(store))
        log.error({ logId: 'callbacks-given-up', tenantId, count }, 'callbacks given up wait to be sent again')
    } catch (error) {
      reportAt = performance.now() + failedReportInterval
      log.warn({ logId: 'given-up-not-counted', err: error }, 'callbacks given up not counted')
    }
  }
}

/** Counts the callbacks that were given up, by tenant. Later ones of the same shipments are not counted. */
export async function countDead(store: Store): Promise<readonly { tenantId: string; count: number }[]> {
  const rows = await store
    .selectFrom('outbox')
    .select(({ fn }) => ['tenant_id', fn.countAll<number | string>().as('count')])
    .where('dead_since', 'is not', null)
    .groupBy('tenant_id')
    .execute()
  return rows.map(({ tenant_id, count }) => ({ tenantId: tenant_id, count: Number(count) }))
}
