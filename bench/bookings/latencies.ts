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

/** Milliseconds. */
const callbackBar = 50
const startBar = 1_000

/**
 * Milliseconds from the response to a booking, which follows its commit, to the first delivery of its callback. A
 * delivery that arrives before the response counts as 0.
 */
export async function benchFirstCallback(store: BookingStore, bookings: number): Promise<Row> {
  const place = await store.make()
  const service = await startService(place.databaseUrl)
  const headers = await headersFor(service)
  const received = new Map<string, number>()
  const receiver = createServer(async (request, response) => {
    const now = performance.now()
    const { message } = (await json(request)) as Callback
    received.set(message.shipmentUid, now)
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const call = async (operation: string, body: object) => {
    const response = await fetch(`${service.address}/v1/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as { shipmentUids: string[] }
  }
  await call('Platform/ConfigureCallback', { url, authType: 'HMAC' })
  const responded = new Map<string, number>()
  const warmUp = 50
  for (let at = 0; at < warmUp + bookings; at++) {
    const { shipmentUids } = await call('Logistics/CreateLocalShipmentAsStock', bookingAt(at))
    if (at >= warmUp) responded.set(shipmentUids[0] ?? '', performance.now())
  }
  while (received.size < warmUp + bookings) await pause(50)
  const waits = [...responded].map(([uid, at]) => Math.max(0, (received.get(uid) ?? Number.POSITIVE_INFINITY) - at))
  await service.stop()
  receiver.close()
  receiver.closeAllConnections()
  await place.remove()
  const p99 = quantile(waits, 0.99)
  return {
    what: `commit to first callback delivery, p99, ${store.name} (median ${median(waits).toFixed(1)} ms)`,
    unit: 'ms',
    ours: p99,
    bar: `under ${callbackBar} ms`,
    met: p99 < callbackBar,
  }
}

/** Milliseconds from the start of the process to its ready line, with the program of users and the default topology. */
export async function benchColdStart(store: BookingStore, rounds: number): Promise<Row> {
  const place = await store.make()
  await (await startService(place.databaseUrl, 'demonstration', { clone: '.' })).stop()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await startService(place.databaseUrl, 'demonstration', { clone: '.' })
    times.push(service.startTime)
    await service.stop()
  }
  await place.remove()
  return {
    what: `start of the service, ${store.name}`,
    unit: 'ms',
    ours: median(times),
    bar: `under ${startBar} ms`,
    met: median(times) < startBar,
  }
}
