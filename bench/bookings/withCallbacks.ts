// Baseline on PostgreSQL: the booking of a flow, which also looks for its idempotency key, stores its response, and sends a callback.
import { createHmac, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { Pool as Connections } from 'undici'
import { serveJobs } from '../child.ts'
import { openBareReceiver } from './bareReceiver.ts'
import type { BareJob } from './bareSqlite.ts'
import { makeBareTables } from './bareTables.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt } from './places.ts'
import { type BareBooking, bookInSteps } from './steps.ts'

const look = 'select response from keys where key = $1'
const keep = 'insert into keys (key, request, response) values ($1, $2, $3)'
const settle = 'delete from outbox where shipment = $1'
const secret = 'a-secret-of-the-benchmark'

/** Callbacks that are sent at the same time. */
const maxDeliveries = 16

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  await makeBareTables(store)
  const receiver = await openBareReceiver()
  const deliveries = openDeliveries(receiver.url)
  const perSecond = await manyCallers(store, milliseconds, async (pool, n) => {
    const key = randomUUID()
    const request = createHmac('sha256', secret)
      .update(JSON.stringify(bookingAt(n)))
      .digest()
    const { rowCount } = await pool.query({ name: 'look', text: look, values: [key] })
    if (rowCount !== 0) return 0
    const booking = await bookInSteps(pool, bookingAt(n).PupUid, (client, { uid }) =>
      client.query({ name: 'keep', text: keep, values: [key, request, JSON.stringify({ shipmentUids: [uid] })] }),
    )
    if (booking === undefined) return 0
    deliveries.send(pool, booking)
    return 1
  })
  await deliveries.stop()
  receiver.stop()
  return perSecond
})

/** Sends callbacks after their bookings, as an outbox does. Callbacks that are not sent in time stay queued. */
function openDeliveries(url: string) {
  const { origin, pathname } = new URL(url)
  const connections = new Connections(origin, { connections: maxDeliveries })
  const waiting: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  async function deliver(pool: Pool, { uid, body }: BareBooking): Promise<void> {
    const signature = createHmac('sha256', secret).update(uid).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-hmac': signature }
    const response = await connections.request({ method: 'POST', path: pathname, headers, body })
    await response.body.dump()
    await pool.query({ name: 'settle', text: settle, values: [uid] })
  }
  function next(): void {
    while (running.size < maxDeliveries) {
      const work = waiting.shift()
      if (work === undefined) return
      // The pool ends with the measurement, and a delivery in flight fails then.
      const run = work()
        .catch(() => undefined)
        .finally(() => {
          running.delete(run)
          next()
        })
      running.add(run)
    }
  }
  return {
    send(pool: Pool, booking: BareBooking): void {
      waiting.push(() => deliver(pool, booking))
      next()
    },
    async stop(): Promise<void> {
      waiting.length = 0
      await Promise.all(running)
      await connections.close()
    },
  }
}
