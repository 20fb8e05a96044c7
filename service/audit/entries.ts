import { sql } from 'kysely'
import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'

export interface AuditFilter {
  readonly tenantId?: string | undefined
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number | undefined
  /** Milliseconds since 1970, exclusive. */
  readonly until?: number | undefined
}

/** An entry as it is exported: one line of JSON. */
export interface AuditedMoment {
  /** Identifies the entry. Grows with each entry; numbers may be missing. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly at: string
  readonly tenantId: string | null
  readonly actor: string
  readonly clientId: string | null
  readonly action: string
  readonly subject: string | null
  readonly detail: string | null
}

/** Entries of one query. */
const pageSize = 1_000

/** Yields the entries of a filter in their order, page by page. */
export async function* readEntries(store: Store, filter: AuditFilter): AsyncGenerator<AuditedMoment> {
  const { tenantId, since, until } = filter
  let query = store.selectFrom('audit_log').selectAll().orderBy('seq').limit(pageSize)
  // With an index, SQLite would sort all matching entries for each page. The unary `+` keeps it from using one.
  const column = (name: string) => sql<string | number>`${sql.raw(hasRowLocks(store) ? '' : '+')}${sql.ref(name)}`
  if (tenantId !== undefined) query = query.where(column('tenant_id'), '=', tenantId)
  if (since !== undefined) query = query.where(column('recorded_at'), '>=', since)
  if (until !== undefined) query = query.where(column('recorded_at'), '<', until)
  for (let last = 0; ; ) {
    const rows = await query.where('seq', '>', last).execute()
    for (const row of rows) {
      yield {
        seq: row.seq,
        at: new Date(row.recorded_at).toISOString(),
        tenantId: row.tenant_id,
        actor: row.actor,
        clientId: row.client_id,
        action: row.action,
        subject: row.subject,
        detail: row.detail,
      }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < pageSize) return
    last = end.seq
  }
}
