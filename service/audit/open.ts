import { existsSync } from 'node:fs'
import { openStore, type Store } from '../store/index.ts'
import { toPath } from '../store/sqlite/open.ts'

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

export interface AuditLog {
  /** Reads the entries in the order of `seq`, a page at a time. */
  read(filter: AuditFilter): AsyncGenerator<AuditedMoment>
  /** The moment before which entries were purged, in milliseconds since 1970; undefined if none were. */
  purgedBefore(): Promise<number | undefined>
  close(): Promise<void>
}

/** Entries of one query. */
const pageSize = 1_000

/**
 * Opens the audit log of a store, which services may have open.
 * @throws Error when the store cannot be opened, or is a file that does not exist
 */
export async function openAuditLog(databaseUrl: string): Promise<AuditLog> {
  // Opening would create the file.
  if (databaseUrl.startsWith('file:') && !existsSync(toPath(databaseUrl))) {
    throw new Error(`LOCKERFLOW_DATABASE_URL: must be an existing store, and there is no file ${toPath(databaseUrl)}.`)
  }
  const store = await openStore(databaseUrl)
  return {
    read: filter => readEntries(store, filter),
    async purgedBefore() {
      const row = await store.selectFrom('audit_purges').select('purged_before').executeTakeFirst()
      return row?.purged_before
    },
    close: () => store.destroy(),
  }
}

async function* readEntries(store: Store, { tenantId, since, until }: AuditFilter): AsyncGenerator<AuditedMoment> {
  let query = store.selectFrom('audit_log').selectAll().orderBy('seq').limit(pageSize)
  if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
  if (since !== undefined) query = query.where('recorded_at', '>=', since)
  if (until !== undefined) query = query.where('recorded_at', '<', until)
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
