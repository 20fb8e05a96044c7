import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Store } from '../../../service/store/index.ts'

/**
 * Makes each transaction on PostgreSQL that has written to a table wait until the returned function is called, as one that
 * takes long does. It keeps its locks meanwhile.
 */
export async function holdWrites(store: Store, table: string): Promise<() => Promise<void>> {
  await sql`create table held (at integer);
    insert into held values (1);
    create function hold() returns trigger language plpgsql as $$
      begin
        while exists (select from held) loop perform pg_sleep(0.02); end loop;
        return null;
      end $$;
    create trigger hold after insert or update on ${sql.table(table)} for each row execute function hold()`.execute(
    store,
  )
  const release = async () => void (await sql`delete from held`.execute(store))
  onTestFinished(async () => {
    await release()
    await sql`drop function hold cascade; drop table held`.execute(store)
  })
  return release
}

/** The connections that wait for a lock, or in `holdWrites`. */
export async function countWaits(store: Store, where: 'lock' | 'held'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and ${sql.raw(waits[where])}`.execute(store)
  return rows[0]?.count ?? 0
}

const waits = { lock: "wait_event_type = 'Lock'", held: "wait_event = 'PgSleep'" }
