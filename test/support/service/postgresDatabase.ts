import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { ProvidedContext } from 'vitest'
import type { NewStore } from './temporaryStore.ts'

type Server = NonNullable<ProvidedContext['postgres']>

/** A database with all tables and no rows. Databases are reused, because emptying one is faster than creating one. */
export async function takeDatabase({ url, template }: Server): Promise<NewStore> {
  const name = await connected(url, async client => {
    const { rows } = await client.query(`
      delete from free_databases
      where name = (select name from free_databases limit 1 for update skip locked) returning name`)
    if (rows[0] !== undefined) return String(rows[0].name)
    const made = `test_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${made} template ${template}`)
    return made
  })
  const databaseUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href
  let given: Promise<void> | undefined
  return {
    databaseUrl,
    // Only once: a second release could drop it while another test uses it.
    remove() {
      given ??= release(url, databaseUrl, name)
      return given
    },
  }
}

/** Terminates open connections. A database that a test has broken is not reused. */
async function release(url: string, databaseUrl: string, name: string): Promise<void> {
  const emptied = await connected(databaseUrl, client => empty(client)).then(
    () => true,
    () => false,
  )
  await connected(url, client =>
    emptied
      ? client.query('insert into free_databases values ($1) on conflict do nothing', [name])
      : client.query(`drop database if exists ${name} with (force)`),
  )
}

/** The tables, each before those that it references. */
const tables = [
  'audit_log',
  'audit_purges',
  'revisions',
  'removals',
  'rate_buckets',
  'secret_attempts',
  'client_secrets',
  'sandbox_faults',
  'personal_keys',
  'suggestion_words',
  'suggestions',
  'suggestion_uploads',
  'shipment_objects',
  'idempotency',
  'outbox',
  'pin_attempts',
  'access_codes',
  'shipments',
  'lockers',
  'pick_up_point_tenants',
  'clients',
  'tenants',
  'accounts',
  'pick_up_points',
  'signing_keys',
  'data_keys',
]

async function empty(client: Client): Promise<void> {
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  // The triggers of the audit log allow the deletion of what was purged.
  await client.query(`
    insert into audit_purges values ('audit_log', 9007199254740991)
    on conflict (log) do update set purged_before = excluded.purged_before`)
  await client.query(tables.map(table => `delete from ${table}`).join(';'))
  const { rows } = await client.query(`
    select (select count(*)::int from pg_tables where schemaname = 'public' and tablename not like 'kysely%') as tables,
      (select count(*)::int from pg_trigger where not tgisinternal and tgrelid <> 'audit_log'::regclass) as triggers`)
  if (rows[0].tables !== tables.length || rows[0].triggers > 0)
    throw new Error('a test changed the tables or triggers of the database')
}

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
