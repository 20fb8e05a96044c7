import { randomUUID } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'

const find =
  'select uid from lockers where pup = $1 and booked = 0 and volume >= $2 order by volume limit 1 for update skip locked'
const take = 'update lockers set booked = 1 where uid = $1'
const ship = `insert into shipments (uid, pup, locker, state, created, pick_up_code, delivery_code)
  values ($1, $2, $3, 'ReadyForDropOff', $4, '123456', '654321')`
const queue = 'insert into outbox (shipment, body) values ($1, $2)'

/** A booking, and the callback that its transaction has queued. */
export interface BareBooking {
  readonly uid: string
  readonly body: string
}

/**
 * Books as a service does that awaits each statement: begin, find, take, ship, queue, commit.
 * @param further runs before the commit, in the transaction
 * @returns undefined if no locker was free
 */
export async function bookInSteps(
  pool: Pool,
  pup: string,
  further?: (client: ClientBase, booking: BareBooking) => Promise<unknown>,
): Promise<BareBooking | undefined> {
  const uid = randomUUID()
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } })
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query({ name: 'find', text: find, values: [pup, 24_000] })
    const locker = rows[0]?.uid
    if (locker === undefined) {
      await client.query('rollback')
      return undefined
    }
    await client.query({ name: 'take', text: take, values: [locker] })
    await client.query({ name: 'ship', text: ship, values: [uid, pup, locker, Date.now()] })
    await client.query({ name: 'queue', text: queue, values: [uid, body] })
    await further?.(client, { uid, body })
    await client.query('commit')
    return { uid, body }
  } finally {
    client.release()
  }
}
