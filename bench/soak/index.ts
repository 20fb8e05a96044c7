// The benchmark of memory that grows with the work done. bench/main.ts imports this.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inParallel, runBatch } from '../flows/batch.ts'
import { inspectedIssue, issue, loan } from '../flows/journeys.ts'
import { startSide } from '../flows/sides.ts'
import { startWorld } from '../flows/world.ts'
import type { Row } from '../row.ts'
import { embedded } from '../service/stores.ts'
import { heapVariables, readHeap } from './heap.ts'
import { startRequests } from './requests.ts'

const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '6' },
    bookings: { type: 'string', default: '1500' },
    flows: { type: 'string', default: '150' },
  },
  strict: false,
})
const slices = Number(values.slices)
/** The heap after the last slice, divided by that after the second: caches fill in the first ones. */
const most = 1.1
const concurrency = { bookings: 8, flows: 30 }
/** Far fewer than flows run, so that the worker removes ended ones. */
const maxCachedWorkflows = 100
const mebibyte = 1_024 * 1_024

type Heaps = Readonly<Record<string, () => Promise<number>>>

/** Repeats requests to a service, then flows of each kind, and compares the live objects of the processes between slices. */
export async function benchSoak(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-soak-'))
  try {
    return [...(await soakService(folder)), ...(await soakFlows(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakService(folder: string): Promise<Row[]> {
  const store = await embedded.make()
  const { service, repeat, stop } = await startRequests(store.databaseUrl, heapVariables(folder))
  const size = Number(values.bookings)
  try {
    const heaps = { service: () => readHeap(service.pid, folder) }
    return await compareSlices(`${size} bookings with their requests`, heaps, slice =>
      inParallel(size, concurrency.bookings, n => repeat(slice * size + n)),
    )
  } finally {
    await stop()
    await store.remove()
  }
}

async function soakFlows(folder: string): Promise<Row[]> {
  const world = await startWorld(heapVariables(folder))
  const { service, gateway } = world.pids
  const small = { ...world, workerSettings: { ...world.workerSettings, maxCachedWorkflows } }
  const side = await startSide(small, 'ours')
  const size = Number(values.flows)
  const workerHeap = async () => (await side.worker.run({ measure: 'memory' })).memory?.heap ?? Number.NaN
  const heaps = {
    service: () => readHeap(service, folder),
    gateway: () => readHeap(gateway, folder),
    worker: workerHeap,
  }
  try {
    return await compareSlices(`${size} flows of each of three kinds`, heaps, async () => {
      for (const journey of [issue, inspectedIssue, loan]) {
        const requests = await inParallel(size, concurrency.flows, () => journey.prepare(world))
        await runBatch(world, side, journey, requests, concurrency.flows)
      }
    })
  } finally {
    await side.worker.stop()
    await world.stop()
  }
}

async function compareSlices(
  work: string,
  heaps: Heaps,
  runSlice: (slice: number) => Promise<unknown>,
): Promise<Row[]> {
  const read: Record<string, number>[] = []
  for (let slice = 0; slice < slices; slice++) {
    await runSlice(slice)
    const each: Record<string, number> = {}
    for (const [name, heap] of Object.entries(heaps)) each[name] = (await heap()) / mebibyte
    read.push(each)
    console.error(`after slice ${slice + 1}:`, each)
  }
  return Object.keys(heaps).map(name => {
    const [ours, baseline] = [read.at(-1)?.[name] ?? Number.NaN, read[1]?.[name] ?? Number.NaN]
    const ratio = ours / baseline
    const what = `heap of the ${name} after ${slices} slices of ${work}, against two slices`
    return { what, unit: 'MiB', ours, baseline, ratio, bar: `at most ${most}`, met: ratio <= most }
  })
}
