import type { Logger } from 'pino'
import { countChanges, countEnded, countRanges } from '../shipments/index.ts'
import type { Store } from '../store/index.ts'
import { readTime } from '../store/locks.ts'
import { expireUploadsOfRemovedTenants, sweepUploads } from '../suggestions/index.ts'
import { removeRetired } from '../topology/index.ts'
import {
  deleteAuditEntries,
  deleteDeadCallbacks,
  deleteRateBuckets,
  deleteSecretAttempts,
  deleteStoredResponses,
} from './deletions.ts'
import { createRunBatch, purgeRows, type RunBatch } from './purge.ts'
import { purgeShipments } from './shipments.ts'

/** The ages at which rows are purged, in milliseconds. */
export interface RetentionTimes {
  readonly shipments: number
  readonly audit: number
  readonly deadCallbacks: number
  readonly stagedUploads: number
  readonly removedTenants: number
  readonly signIns: number
  readonly responses: number
}

export interface RetentionParts {
  readonly store: Store
  readonly retention: RetentionTimes
  /** Milliseconds between rounds, and before the first one. */
  readonly purgeInterval: number
  readonly clock: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

export interface Retention {
  /** Ends a round after its batch. */
  stop(): Promise<void>
}

interface Round {
  readonly store: Store
  readonly runBatch: RunBatch
  readonly now: number
  readonly stopping: AbortSignal
  /** Logs that the rows of one tenant were not purged. */
  readonly reportTenant: (tenantId: string, error: unknown) => void
}

type Purge = (round: Round, time: number) => Promise<number>

/** The rows of each time, and how those that are older are purged. A purge returns the number of deleted rows. */
const purges: Readonly<Record<keyof RetentionTimes, Purge>> = {
  shipments: ({ runBatch, now, reportTenant }, time) => purgeShipments(runBatch, now - time, reportTenant),
  audit: ({ runBatch, now }, time) => purgeRows(runBatch, deleteAuditEntries, now - time),
  deadCallbacks: ({ runBatch, now }, time) => purgeRows(runBatch, deleteDeadCallbacks, now - time),
  responses: ({ runBatch, now }, time) => purgeRows(runBatch, deleteStoredResponses, now - time),
  signIns: async ({ runBatch, now }, time) =>
    (await purgeRows(runBatch, deleteSecretAttempts, now - time)) +
    (await purgeRows(runBatch, deleteRateBuckets, now - time)),
  removedTenants: async ({ runBatch, now }, time) =>
    (await runBatch(tx => expireUploadsOfRemovedTenants(tx, now - time))) ?? 0,
  // The upload itself has the time of its end.
  stagedUploads: ({ store, now, stopping }) => sweepUploads(store, now, { stopping }),
}

/** Purges expired rows in rounds, in small batches between requests. */
export function startRetention({ store, retention, purgeInterval, clock, log }: RetentionParts): Retention {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function runRound(): Promise<void> {
    const { signal } = stopping
    // A process whose clock is ahead would delete rows too early, and they cannot be restored.
    const now = await readTime(store, clock)
    const round: Round = {
      store,
      runBatch: createRunBatch(store, signal),
      now,
      stopping: signal,
      reportTenant: (tenantId, err) =>
        log.warn({ logId: 'rows-not-purged', rows: 'shipments', tenantId, err }, 'expired rows not purged'),
    }
    const counts: Partial<Record<keyof RetentionTimes, number>> = {}
    const names = Object.keys(purges) as (keyof RetentionTimes)[]
    for (const name of names) {
      try {
        const purged = await purges[name](round, retention[name])
        if (purged > 0) counts[name] = purged
      } catch (error) {
        log.warn({ logId: 'rows-not-purged', rows: name, err: error }, 'expired rows not purged')
      }
    }
    for (const count of [countEnded, countRanges, countChanges])
      await count(round.runBatch, round.now).catch(error =>
        log.warn({ logId: 'rows-not-purged', rows: 'counts', err: error }, 'expired rows not purged'),
      )
    await removeRetired(store, round.now, signal).catch(error =>
      log.warn({ logId: 'rows-not-purged', rows: 'retired', err: error }, 'expired rows not purged'),
    )
    if (Object.keys(counts).length > 0) log.info({ rows: counts }, 'expired rows purged')
  }

  // A round that takes longer than the interval is not doubled.
  const start = () => {
    running ??= runRound()
      .catch(err => log.warn({ logId: 'rows-not-purged', rows: 'all', err }, 'expired rows not purged'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(start, purgeInterval).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
