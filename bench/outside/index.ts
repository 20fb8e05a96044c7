// The wait for a booking beside slow files and a receiver that hangs, and without. bench/main.ts imports this.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createFlowClient, type FlowClient } from '#client'
import { bookingAt } from '../bookings/places.ts'
import { startSide } from '../flows/sides.ts'
import { startWorld } from '../flows/world.ts'
import { pairs, quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import { startSlowHosts } from './slowHosts.ts'

/** Measurements of each side, slow files, and bookings in each measurement, of which some are made at once. */
const standard = { rounds: '3', files: '260', bookings: '100', together: '4' }

/** The p95 may be this many times that of a quiet worker. */
const bar = 2

/** The slots of a worker for what waits for outside parties, and the imports that it makes from one host. */
const [slots, importsOfHost] = [100, 5]

export async function benchOutside(): Promise<Row[]> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: Object.fromEntries(
      Object.entries(standard).map(([name, value]) => [name, { type: 'string', default: value }]),
    ),
  } as const)
  const { rounds, files, bookings, together } = values as typeof standard
  const held = Math.min(slots, Number(files))
  const hosts = await startSlowHosts(Math.ceil(held / importsOfHost))
  const world = await startWorld()
  const notifications = { url: `${hosts.urls[0]}/notifications`, key: 'the-key-of-a-benchmark' }
  const side = await startSide({ ...world, workerSettings: { ...world.workerSettings, notifications } }, 'ours')
  const flows = createFlowClient(world.client, { taskQueue: side.taskQueue })
  const measure = async () => quantile(await book(flows, Number(bookings), Number(together)), 0.95)

  async function measureBesideFiles(): Promise<number> {
    hosts.hang()
    const imports = Array.from({ length: Number(files) }, (_, at) => {
      const url = `${hosts.urls[at % hosts.urls.length]}/${at}.csv`
      return { caseNo: `F-${randomUUID()}`, request: { url, reference: null } }
    })
    await Promise.all(imports.map(given => flows.start('importAccountSuggestions', given)))
    await hosts.untilOpen(held)
    const taken = await measure()
    await Promise.all(imports.map(({ caseNo }) => flows.cancel(caseNo, 'measured', { timeout: 60_000 })))
    hosts.answer()
    return taken
  }

  try {
    await measure()
    const { ours, baseline, ratio } = await pairs(Number(rounds), measureBesideFiles, measure)
    return [
      {
        what: `p95 of ${bookings} bookings beside ${files} slow files and a receiver that hangs, and without`,
        unit: 'ms',
        ours: quantile(ours, 0.5),
        baseline: quantile(baseline, 0.5),
        ratio,
        bar: `at most ${bar}`,
        met: ratio <= bar,
      },
    ]
  } finally {
    await side.worker.stop()
    await world.stop()
    hosts.stop()
  }
}

/** Milliseconds until each caller has its booking. Each flow is cancelled after it, and its end is notified. */
async function book(flows: FlowClient, count: number, together: number): Promise<number[]> {
  const waits: number[] = []
  async function call(): Promise<void> {
    while (waits.length < count) {
      const caseNo = `B-${randomUUID()}`
      const began = performance.now()
      const { kind } = await flows.startAndWaitForBooking('stock', { caseNo, request: bookingAt(waits.length) })
      if (kind !== 'Booked') throw new Error(`The booking ended as ${kind}.`)
      waits.push(performance.now() - began)
      await flows.cancel(caseNo, 'measured')
    }
  }
  await Promise.all(Array.from({ length: together }, call))
  return waits
}
