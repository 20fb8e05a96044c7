import { fingerprint } from '#contract'
import { unknownTenant } from '../operationError.ts'
import { openExistingStore, type Store } from '../store/index.ts'
import { endCollections, expectCollection, postponeCollection } from './collections.ts'
import { type AuditedMoment, type AuditFilter, readEntries } from './entries.ts'
import { recordOnce } from './record.ts'

/** A decision about a flow, which its history records. */
export interface FlowDecision {
  /** Identifies the decision: the run and the update. */
  readonly source: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly workflowId: string
  /** The decision or the name of the update, and the identity of its caller. */
  readonly detail: string
}

export interface AuditLog {
  hasTenant(tenantId: string): Promise<boolean>
  /** Returns the tenants of shipments, those that the store lacks left out. @param uids at most some hundreds */
  tenantsOf(uids: readonly string[]): Promise<readonly string[]>
  /** Returns whether the log has an entry of the tenant, which may have been removed. */
  hasEntries(tenantId: string): Promise<boolean>
  /**
   * Inserts the decisions of a tenant's flows that the log lacks. Returns their number.
   * @throws Error for an unknown tenant
   */
  addDecisions(tenantId: string, decisions: AsyncIterable<FlowDecision>): Promise<number>
  /**
   * Expects that decisions are added within an interval. Services measure when they are not.
   * @param interval milliseconds
   */
  expectDecisions(tenantId: string, interval: number): Promise<void>
  /** Notes that all decisions were added, and expects the next ones. @param interval milliseconds */
  noteDecisionsAdded(tenantId: string, interval: number): Promise<void>
  /** No longer expects decisions. */
  endDecisions(tenantId: string): Promise<void>
  /** Reads the entries in the order of `seq`, a page at a time. */
  read(filter: AuditFilter): AsyncGenerator<AuditedMoment>
  /** The moment before which entries were purged, in milliseconds since 1970; undefined if none were. */
  purgedBefore(): Promise<number | undefined>
  close(): Promise<void>
}

/**
 * Opens the audit log of a store, which services may have open.
 * @throws Error when the store cannot be opened, or has no tables yet
 */
export async function openAuditLog(databaseUrl: string): Promise<AuditLog> {
  const store = await openExistingStore(databaseUrl)
  return {
    hasTenant: tenantId => hasTenant(store, tenantId),
    tenantsOf: uids => tenantsOf(store, uids),
    hasEntries: tenantId => hasEntries(store, tenantId),
    addDecisions: (tenantId, decisions) => addDecisions(store, tenantId, decisions),
    expectDecisions: (tenantId, interval) => expectCollection(store, { tenantId, dueAt: Date.now() + interval }),
    noteDecisionsAdded: (tenantId, interval) => postponeCollection(store, { tenantId, dueAt: Date.now() + interval }),
    endDecisions: tenantId => endCollections(store, tenantId),
    read: filter => readEntries(store, filter),
    async purgedBefore() {
      const row = await store.selectFrom('audit_purges').select('purged_before').executeTakeFirst()
      return row?.purged_before
    },
    close: () => store.destroy(),
  }
}

async function hasTenant(store: Store, tenantId: string): Promise<boolean> {
  const tenant = await store
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return tenant !== undefined
}

async function tenantsOf(store: Store, uids: readonly string[]): Promise<readonly string[]> {
  if (uids.length === 0) return []
  const rows = await store
    .selectFrom('shipments')
    .select('tenant_id')
    .distinct()
    .where('shipment_uid', 'in', uids)
    .orderBy('tenant_id')
    .execute()
  return rows.map(row => row.tenant_id)
}

async function hasEntries(store: Store, tenantId: string): Promise<boolean> {
  const entry = await store
    .selectFrom('audit_log')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

async function addDecisions(store: Store, tenantId: string, decisions: AsyncIterable<FlowDecision>): Promise<number> {
  if (!(await hasTenant(store, tenantId))) throw unknownTenant(tenantId)
  let count = 0
  for await (const { at, workflowId, detail, source } of decisions) {
    const entry = {
      action: 'flow.decided',
      actor: 'person',
      now: at,
      tenantId,
      subject: printable(workflowId),
      detail: printable(detail),
      source: printable(source) === source ? source : fingerprint(source),
    } as const
    if (await recordOnce(store, entry)) count++
  }
  return count
}

/** Callers of Temporal choose these texts. PostgreSQL refuses the character NUL, and one entry must not keep out the later ones. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd')
}
