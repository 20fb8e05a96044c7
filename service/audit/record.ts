import type { Insertable } from 'kysely'
import type { Store, StoreTransaction } from '../store/index.ts'
import { keepQuery } from '../store/statements.ts'
import type { AuditRow } from '../store/tables.ts'
import { type AuditAction, hourlyLimits } from './actions.ts'

/** One entry. It contains ids and fixed words only: no secret, access code, name or address. */
export interface AuditEntry {
  readonly action: AuditAction
  /** Milliseconds since 1970. */
  readonly now: number
  readonly tenantId?: string | undefined
  /** The API client that acts. */
  readonly clientId?: string | undefined
  /** The id of the shipment, account, client, tenant or key. */
  readonly subject?: string | undefined
  readonly detail?: string | undefined
  /** Default: the client. `operator` is a command, `service` a process by itself. */
  readonly actor?: 'client' | 'operator' | 'service' | 'person' | undefined
  /** Identifies what the entry copies from another system. A second entry with it is not inserted. */
  readonly source?: string | undefined
}

/** Inserts an entry. Called with a transaction, the entry is committed with what it records. */
export async function recordAudit(db: Store, entry: AuditEntry): Promise<void> {
  await db.executeQuery(insertOne(db, toRow(entry)))
}

/** Inserts an entry unless its source has one. Returns true if it did. */
export async function recordOnce(db: Store, entry: AuditEntry & { readonly source: string }): Promise<boolean> {
  const row = await insertEntry(db, toRow(entry))
    .onConflict(conflict => conflict.column('source').doNothing())
    .returning('seq')
    .executeTakeFirst()
  return row !== undefined
}

type NewRow = Insertable<AuditRow>

function toRow(entry: AuditEntry): NewRow {
  return {
    recorded_at: entry.now,
    tenant_id: entry.tenantId ?? null,
    actor: entry.actor ?? 'client',
    client_id: entry.clientId ?? null,
    action: entry.action,
    subject: entry.subject ?? null,
    detail: entry.detail ?? null,
    source: entry.source ?? null,
  }
}

function insertEntry(db: Store, row: NewRow) {
  return db.insertInto('audit_log').values({
    recorded_at: row.recorded_at,
    tenant_id: row.tenant_id,
    actor: row.actor,
    client_id: row.client_id,
    action: row.action,
    subject: row.subject,
    detail: row.detail,
    source: row.source,
  })
}

const insertOne = keepQuery(insertEntry)

/** The caller, the time and the transaction of an operation. */
export interface AuditedCall {
  readonly tx: StoreTransaction
  readonly tenantId: string
  readonly clientId: string
  readonly now: number
}

/** Inserts an entry about an operation, in its transaction. */
export async function auditCall(
  { tx, ...caller }: AuditedCall,
  action: AuditAction,
  subject: string,
  detail?: string,
): Promise<void> {
  await recordAudit(tx, {
    action,
    now: caller.now,
    tenantId: caller.tenantId,
    clientId: caller.clientId,
    subject,
    detail,
  })
}

const hour = 3_600_000

/** The ends of exhausted limits in milliseconds since 1970, by client and action. A store and its transactions share an adapter. */
const exhausted = new WeakMap<object, Map<string, number>>()

interface RecentEntries {
  readonly action: AuditAction
  readonly clientId: string | null
  readonly subject: string | null
  /** Milliseconds since 1970. */
  readonly after: number
  readonly limit: number
}

function keepRecent(hasClient: boolean, hasSubject: boolean) {
  return keepQuery((db, { action, clientId, subject, after, limit }: RecentEntries) =>
    db
      .selectFrom('audit_log')
      .select('recorded_at')
      .where('client_id', hasClient ? '=' : 'is', hasClient ? clientId : null)
      .where('action', '=', action)
      .where('subject', hasSubject ? '=' : 'is', hasSubject ? subject : null)
      .where('recorded_at', '>', after)
      .orderBy('recorded_at', 'desc')
      .limit(limit),
  )
}

/** By whether the entry has a client, then by whether it has a subject. */
const recentEntries = [
  [keepRecent(false, false), keepRecent(false, true)],
  [keepRecent(true, false), keepRecent(true, true)],
] as const

/** Inserts an entry unless its client has used up the hour's limit of the action. */
export async function recordBounded(
  db: Store,
  entry: AuditEntry & { readonly action: keyof typeof hourlyLimits },
): Promise<void> {
  const { action, clientId, subject, now } = entry
  const ends = exhausted.get(db.getExecutor().adapter) ?? new Map<string, number>()
  exhausted.set(db.getExecutor().adapter, ends)
  const key = JSON.stringify([clientId, action])
  const end = ends.get(key) ?? 0
  // An end that is too far away comes from a clock that was set back.
  if (subject === undefined && end > now && end <= now + hour) return
  const limit = hourlyLimits[action]
  const find = recentEntries[clientId === undefined ? 0 : 1][subject === undefined ? 0 : 1]
  const values = { action, clientId: clientId ?? null, subject: subject ?? null, after: now - hour, limit }
  const { rows: recent } = await db.executeQuery(find(db, values))
  const oldest = recent[limit - 1]
  if (oldest === undefined) return recordAudit(db, entry)
  if (subject === undefined) ends.set(key, oldest.recorded_at + hour)
}
