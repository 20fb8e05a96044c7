import { median } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BookingStore } from './bookings.ts'
import { startService } from './runningService.ts'

const bar = 1_000

/** From the start of the process to its line that says that it is ready, as a developer starts it again and again. */
export async function benchColdStart(store: BookingStore, rounds: number): Promise<Row> {
  const place = await store.make()
  await (await startService(place.databaseUrl, 'demonstration')).stop()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await startService(place.databaseUrl, 'demonstration')
    times.push(service.startTime)
    await service.stop()
  }
  await place.remove()
  return {
    what: `start of the service, ${store.name}`,
    unit: 'ms',
    ours: median(times),
    bar: `under ${bar} ms`,
    met: median(times) < bar,
  }
}
