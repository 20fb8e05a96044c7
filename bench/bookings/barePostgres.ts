// Baseline on PostgreSQL: a booking as one statement.
import { randomUUID } from 'node:crypto'
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { makeBareTables } from './bareTables.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt } from './places.ts'

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
  await makeBareTables(store)
  return manyCallers(store, milliseconds, async (pool, n) => {
    const uid = randomUUID()
    const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } })
    const values = [bookingAt(n).PupUid, 24_000, uid, Date.now(), body]
    const { rowCount } = await pool.query({ name: 'booking', text: booking, values })
    return rowCount ?? 0
  })
})
