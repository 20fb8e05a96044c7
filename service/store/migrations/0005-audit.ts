import { type Kysely, sql } from 'kysely'
import { createTables, type StoreKind, type TableDeclaration, type Up } from './declaration.ts'

const tables: Readonly<Record<string, TableDeclaration>> = {
  audit_purges: { columns: { log: 'text', purged_before: 'millis' }, key: ['log'] },
  audit_log: {
    columns: {
      seq: 'sequence',
      recorded_at: 'millis',
      // No foreign keys: the entries outlive a removed tenant and client.
      tenant_id: 'text?',
      actor: 'text',
      client_id: 'text?',
      action: 'text',
      subject: 'text?',
      detail: 'text?',
      // The update of a flow that the entry copies, so that it is copied once.
      source: 'text?',
    },
    unique: [['source']],
    indexes: [
      // The order in which the log is purged.
      ['recorded_at'],
      ['tenant_id', 'recorded_at'],
      // Frequent actions are recorded a limited number of times per hour.
      ['client_id', 'action', 'subject', 'recorded_at'],
    ],
  },
}

const refusal = 'audit_log: entries must not be changed, and must not be deleted before the retention has purged them.'

/** A condition on the entry that is deleted: the purge has stated the moment before which it deletes. */
const isPurged = `exists (select 1 from audit_purges where log = 'audit_log' and purged_before > old.recorded_at)`

/** Statements per store. The triggers refuse mistakes of a program and of a person; the database's owner can drop them. */
const triggers: Readonly<Record<StoreKind, readonly string[]>> = {
  sqlite: [
    `create trigger audit_log_update before update on audit_log begin select raise(abort, '${refusal}'); end`,
    `create trigger audit_log_delete before delete on audit_log when not ${isPurged}
     begin select raise(abort, '${refusal}'); end`,
  ],
  postgres: [
    `create or replace function audit_log_refuse() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' and ${isPurged} then return old; end if;
       raise exception '${refusal}' using errcode = 'restrict_violation';
     end $$`,
    `create trigger audit_log_change before update or delete on audit_log for each row execute function audit_log_refuse()`,
    `create trigger audit_log_truncate before truncate on audit_log for each statement execute function audit_log_refuse()`,
  ],
}

/** The audit log, which only grows until the retention purges it. */
export const audit: Up = async (db, kind) => {
  await createTables(db, kind, tables)
  await createTriggers(db, kind)
}

async function createTriggers(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  for (const statement of triggers[kind]) await sql.raw(statement).execute(db)
}
