import { Client } from 'pg'
import { lockerNames, points } from './places.ts'

/** Creates the tables of a bare store in PostgreSQL, with its lockers. */
export async function makeBareTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table lockers (uid text primary key, pup text, volume double precision, booked integer);
    create index free on lockers (pup, booked, volume);
    create table shipments (seq bigserial primary key, uid text unique, pup text, locker text, state text, created bigint,
      pick_up_code text, delivery_code text);
    create table outbox (seq bigserial primary key, shipment text, body text);
    create index queued on outbox (shipment);
    create table keys (key text primary key, request bytea, response text)`)
  for (const pup of points()) {
    await client.query("insert into lockers select $1 || ':' || name, $1, 96000, 0 from unnest($2::text[]) as name", [
      pup,
      lockerNames(),
    ])
  }
  await client.end()
}
