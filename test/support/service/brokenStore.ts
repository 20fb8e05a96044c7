import { type RawBuilder, sql } from 'kysely'
import type { Service } from '#service'
import { hasRowLocks } from '../../../service/store/locks.ts'

/** The fault of writing a mutation configuration: the statement fails, or the database loses the transaction. */
export type Break = 'fails' | 'lost'

const triggers: Record<'embedded' | 'postgres', Record<Break, RawBuilder<unknown>>> = {
  embedded: {
    fails: sql`create trigger broken before update of mutation_config on accounts begin
      select raise(abort, 'no configuration today'); end`,
    lost: sql`create trigger broken before update of mutation_config on accounts begin
      select raise(rollback, 'all'); end`,
  },
  postgres: {
    fails: sql`create function broken() returns trigger language plpgsql as $$
      begin raise exception 'no configuration today'; end $$;
      create trigger broken before update of mutation_config on accounts execute function broken()`,
    lost: sql`create function broken() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create trigger broken before update of mutation_config on accounts execute function broken()`,
  },
}

/** Makes writing a mutation configuration fail in a service's store. */
export async function breakStore({ store }: Pick<Service, 'store'>, how: Break): Promise<void> {
  await triggers[hasRowLocks(store) ? 'postgres' : 'embedded'][how].execute(store)
}

/** Removes the fault. */
export async function mendStore({ store }: Pick<Service, 'store'>): Promise<void> {
  await (hasRowLocks(store) ? sql`drop function broken cascade` : sql`drop trigger broken`).execute(store)
}
