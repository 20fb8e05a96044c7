// Baseline on PostgreSQL: a booking as one statement.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt, lockerNames, points } from './places.ts'

const booking = `
  with taken as (
    update lockers set booked = 1 where uid = (
      select uid from lockers where pup = $1 and booked = 0 and volume >= $2 order by volume limit 1
      for update skip locked)
    returning uid),
  shipped as (
    insert into shipments (uid, pup, locker, state, created, pick_up_code, delivery_code)
    select $3, $1, uid, 'ReadyForDropOff', $4, '123456', '654321' from taken returning uid)
  insert into outbox (shipment, body) select uid, $5 from shipped`

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  await makeTables(store)
  return manyCallers(store, milliseconds, async (pool, n) => {
    const uid = randomUUID()
    const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } })
    const values = [bookingAt(n).PupUid, 24_000, uid, Date.now(), body]
    const { rowCount } = await pool.query({ name: 'booking', text: booking, values })
    return rowCount ?? 0
  })
})

async function makeTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table lockers (uid text primary key, pup text, volume double precision, booked integer);
    create index free on lockers (pup, booked, volume);
    create table shipments (seq bigserial primary key, uid text unique, pup text, locker text, state text, created bigint,
      pick_up_code text, delivery_code text);
    create table outbox (seq bigserial primary key, shipment text, body text)`)
  for (const pup of points()) {
    await client.query("insert into lockers select $1 || ':' || name, $1, 96000, 0 from unnest($2::text[]) as name", [
      pup,
      lockerNames(),
    ])
  }
  await client.end()
}
