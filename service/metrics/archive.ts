import { sql } from 'kysely'
import { isRefused, type Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'

interface ArchiverRow {
  /** Seconds since the last segment, or since the statistics began. */
  readonly idle: number
  readonly failed: boolean
  readonly archived_wal: string | null
  readonly current_wal: string
  readonly segment_bytes: number | string
}

/** A segment of the log. A finished copy or a new timeline archives a file with another name, which has no such order. */
const segmentName = /^[0-9A-F]{24}$/

/**
 * Reads how many seconds the archive of PostgreSQL has been late: 0 while no segment waits. The statistics lack a command that
 * hangs, so the segments are compared too. A role needs no further right for them.
 * @returns undefined without an archive, or on a server that does not report it
 */
export async function readArchiveLateness(store: Store): Promise<number | undefined> {
  if (!hasRowLocks(store)) return undefined
  const { rows } = await sql<ArchiverRow>`
    select
      extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float8 as idle,
      last_failed_time is not null and last_failed_time > coalesce(last_archived_time, '-infinity') as failed,
      last_archived_wal as archived_wal,
      pg_walfile_name(pg_current_wal_lsn()) as current_wal,
      pg_size_bytes(current_setting('wal_segment_size')) as segment_bytes
    from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'
  `
    .execute(store)
    .catch(error => {
      // A managed server may refuse these functions. Its archive is not the operator's.
      if (!isRefused(error)) throw error
      return { rows: [] }
    })
  const [row] = rows
  if (row === undefined) return undefined
  return row.failed || hasWaitingSegment(row) ? Math.max(0, row.idle) : 0
}

/** True if a segment was finished after the last archived one. */
function hasWaitingSegment({ archived_wal, current_wal, segment_bytes }: ArchiverRow): boolean {
  if (archived_wal === null || !segmentName.test(archived_wal)) return false
  const perLog = 2 ** 32 / Number(segment_bytes)
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16)
  return numberOf(current_wal) - numberOf(archived_wal) > 1
}
