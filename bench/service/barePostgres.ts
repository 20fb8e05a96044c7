// The least that a booking can be on PostgreSQL, over sixteen connections: in one statement, or in six.
import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { bookingAt, capacity, lockerNames, points } from './places.ts'

const connections = 16
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

const steps = {
  find: 'select uid from lockers where pup = $1 and booked = 0 and volume >= $2 order by volume limit 1 for update skip locked',
  take: 'update lockers set booked = 1 where uid = $1',
  ship: `insert into shipments (uid, pup, locker, state, created, pick_up_code, delivery_code)
    values ($1, $2, $3, 'ReadyForDropOff', $4, '123456', '654321')`,
  queue: 'insert into outbox (shipment, body) values ($1, $2)',
}

serveJobs(async ({ store, milliseconds, stepByStep }: BareJob): Promise<number> => {
  const pool = new Pool({ connectionString: store, max: connections })
  await pool.query(`
    drop table if exists lockers, shipments, outbox;
    create table lockers (uid text primary key, pup text, volume double precision, booked integer);
    create index free on lockers (pup, booked, volume);
    create table shipments (seq bigserial primary key, uid text unique, pup text, locker text, state text, created bigint,
      pick_up_code text, delivery_code text);
    create table outbox (seq bigserial primary key, shipment text, body text)`)
  for (const pup of points()) {
    await pool.query("insert into lockers select $1 || ':' || name, $1, 96000, 0 from unnest($2::text[]) as name", [
      pup,
      lockerNames(),
    ])
  }
  const started = performance.now()
  let tried = 0
  let booked = 0
  async function caller(): Promise<void> {
    while (tried < capacity && performance.now() - started < milliseconds) {
      const { PupUid } = bookingAt(tried)
      tried++
      const uid = randomUUID()
      const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } })
      const made = await (stepByStep ? inSteps : inOne)(pool, PupUid, uid, body)
      booked += made
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const seconds = (performance.now() - started) / 1_000
  await pool.end()
  return booked / seconds
})

/** How many bookings came of it: none when another one took the locker in the same moment. */
async function inOne(pool: Pool, pup: string, uid: string, body: string): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'booking',
    text: booking,
    values: [pup, 24_000, uid, Date.now(), body],
  })
  return rowCount ?? 0
}

async function inSteps(pool: Pool, pup: string, uid: string, body: string): Promise<number> {
  const client = await pool.connect()
  const run = (name: keyof typeof steps, values: unknown[]) => client.query({ name, text: steps[name], values })
  await client.query('begin')
  const { rows } = await run('find', [pup, 24_000])
  const [locker] = rows
  if (locker !== undefined) {
    await run('take', [locker.uid])
    await run('ship', [uid, pup, locker.uid, Date.now()])
    await run('queue', [uid, body])
  }
  await client.query('commit')
  client.release()
  return locker === undefined ? 0 : 1
}
