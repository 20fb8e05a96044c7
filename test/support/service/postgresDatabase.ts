import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished, type ProvidedContext } from 'vitest'
import { readSchema, type Schema } from '../setup/postgresSchema.ts'
import type { NewStore } from './temporaryStore.ts'

type Server = NonNullable<ProvidedContext['postgres']>

/**
 * A database with all tables and no rows. Databases are reused, because emptying one takes a tenth of the time of
 * creating and dropping one.
 */
export async function takeDatabase({ url, template, schema }: Server): Promise<NewStore> {
  const registry = await connectedTo(url)
  const { rows } = await registry.query(
    `
    delete from free_databases
    where name = (
      select name from free_databases order by name = any($1) desc limit 1 for update skip locked
    ) returning name`,
    [[...emptying.keys()]],
  )
  const name = rows[0] === undefined ? newName() : String(rows[0].name)
  if (rows[0] === undefined) await registry.query(`create database ${name} template ${template}`)
  const databaseUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href
  let given: Promise<void> | undefined
  return {
    databaseUrl,
    // Only once: a second release could drop it while another test uses it.
    remove() {
      given ??= release(registry, databaseUrl, name, schema)
      return given
    },
  }
}

/**
 * A database of its own for a test of migrations or start, without tables, which is dropped when the test has finished.
 * @param options those of `create database`
 * @returns its URL
 */
export async function newDatabase(options = ''): Promise<string> {
  const { url } = inject('postgres') as Server
  const registry = await connectedTo(url)
  const name = newName()
  await registry.query(`create database ${name} ${options}`)
  onTestFinished(async () => void (await registry.query(`drop database ${name} with (force)`)))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** As `newDatabase`, with all tables and no rows. */
export function newMigratedDatabase(): Promise<string> {
  return newDatabase(`template ${inject('postgres')?.template}`)
}

/** Terminates open connections. A database that a test has broken is not reused. */
async function release(registry: Client, databaseUrl: string, name: string, schema: Schema): Promise<void> {
  const emptied = await empty(name, databaseUrl, schema).catch(() => false)
  if (emptied) await registry.query('insert into free_databases values ($1) on conflict do nothing', [name])
  else await registry.query(`drop database if exists ${name} with (force)`)
}

/** Deletes all rows and restarts all sequences; false if a test has changed the tables. */
async function empty(name: string, databaseUrl: string, { tables, fingerprint }: Schema): Promise<boolean> {
  const client = await emptyingOf(name, databaseUrl)
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await client.query(tables.map(table => `delete from ${table}`).join(';'))
  await client.query('select setval(seqrelid::regclass, seqstart, false) from pg_sequence')
  return (await readSchema(client)).fingerprint === fingerprint
}

/**
 * The connections of this process that empty its databases, by database. They stay open, because a new one reads all
 * catalogs again: 20 instead of 2 ms of processor time. One ends when another process empties or drops the database.
 */
const emptying = new Map<string, Client>()

async function emptyingOf(name: string, url: string): Promise<Client> {
  const open = emptying.get(name)
  if (open !== undefined) return open
  const client = await connect(url)
  client.once('end', () => emptying.delete(name))
  emptying.set(name, client)
  // A replica checks no references, and the triggers of the audit log do not refuse its deletion.
  await client.query('set session_replication_role = replica')
  return client
}

function newName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`
}

let registry: Promise<Client> | undefined

/** The connection of this process to the list of free databases. It ends with the process, or with the server. */
function connectedTo(url: string): Promise<Client> {
  registry ??= connect(url)
  return registry
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
