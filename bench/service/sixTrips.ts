// Baseline on PostgreSQL: a booking as six statements, each awaited, on three bare tables.
import { randomUUID } from 'node:crypto'
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { makeBareTables } from './bareTables.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt } from './places.ts'

const find =
  'select uid from lockers where pup = $1 and booked = 0 and volume >= $2 order by volume limit 1 for update skip locked'
const take = 'update lockers set booked = 1 where uid = $1'
const ship = `insert into shipments (uid, pup, locker, state, created, pick_up_code, delivery_code)
  values ($1, $2, $3, 'ReadyForDropOff', $4, '123456', '654321')`
const queue = 'insert into outbox (shipment, body) values ($1, $2)'

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  await makeBareTables(store)
  return manyCallers(store, milliseconds, async (pool, n) => {
    const uid = randomUUID()
    const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } })
    const { PupUid: pup } = bookingAt(n)
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query({ name: 'find', text: find, values: [pup, 24_000] })
      const locker = rows[0]?.uid
      if (locker === undefined) {
        await client.query('rollback')
        return 0
      }
      await client.query({ name: 'take', text: take, values: [locker] })
      await client.query({ name: 'ship', text: ship, values: [uid, pup, locker, Date.now()] })
      await client.query({ name: 'queue', text: queue, values: [uid, body] })
      await client.query('commit')
      return 1
    } finally {
      client.release()
    }
  })
})
