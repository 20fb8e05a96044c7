import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Callback } from '#contract'
import { median, quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BookingStore } from './bookings.ts'
import { bookingAt } from './places.ts'
import { headersFor, startService } from './runningService.ts'

const bar = 50

/**
 * Milliseconds from the answer to a booking, which follows its commit, to the first attempt of its callback. An attempt
 * that is faster than the answer counts as none.
 */
export async function benchFirstCallback(store: BookingStore, bookings: number): Promise<Row> {
  const place = await store.make()
  const service = await startService(place.databaseUrl)
  const headers = await headersFor(service)
  const came = new Map<string, number>()
  const receiver = createServer(async (request, response) => {
    const now = performance.now()
    const { message } = (await json(request)) as Callback
    came.set(message.shipmentUid, now)
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const call = async (operation: string, body: object) => {
    const answer = await fetch(`${service.origin}/v1/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { shipmentUids: string[] }
  }
  await call('Platform/ConfigureCallback', { url, authType: 'HMAC' })
  const answered = new Map<string, number>()
  const warming = 50
  for (let at = 0; at < warming + bookings; at++) {
    const { shipmentUids } = await call('Logistics/CreateLocalShipmentAsStock', bookingAt(at))
    if (at >= warming) answered.set(shipmentUids[0] ?? '', performance.now())
  }
  while (came.size < warming + bookings) await pause(50)
  const waits = [...answered].map(([uid, at]) => Math.max(0, (came.get(uid) ?? Number.POSITIVE_INFINITY) - at))
  await service.stop()
  receiver.close()
  receiver.closeAllConnections()
  await place.remove()
  const p99 = quantile(waits, 0.99)
  return {
    what: `commit to first callback attempt, p99, ${store.name} (median ${median(waits).toFixed(1)} ms)`,
    unit: 'ms',
    ours: p99,
    bar: `under ${bar} ms`,
    met: p99 < bar,
  }
}
