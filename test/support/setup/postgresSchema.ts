import type { Client } from 'pg'

/** The tables of the service in a database, and a text that changes with their columns, indexes and triggers. */
export interface Schema {
  readonly tables: readonly string[]
  readonly fingerprint: string
}

/** Tables of the migrations, which an emptied database keeps. */
const kept = 'kysely_%'

export async function readSchema(client: Client): Promise<Schema> {
  const { rows } = await client.query({
    text: `
      select
        (select json_agg(relname order by relname) from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like $1) as tables,
        (select md5(string_agg(part, ',' order by part)) from (
          select concat_ws(' ', relname, attname, attnotnull, format_type(atttypid, atttypmod)) as part
            from pg_class join pg_attribute on attrelid = pg_class.oid
            where relnamespace = 'public'::regnamespace and relkind <> 'S' and not attisdropped and attnum > 0
          union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
        ) as parts) as fingerprint`,
    values: [kept],
  })
  return rows[0]
}
