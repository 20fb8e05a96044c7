import { startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import { readUse } from '../processors.ts'
import type { Row } from '../row.ts'
import type { BareRoute } from './bareRoute.ts'
import type { Load, LoadResult } from './load.ts'
import { headersFor, startService } from './runningService.ts'

const bar = 0.5
/** The number of requests ends a measurement earlier. */
const maxMilliseconds = 120_000

export interface RefusalOptions {
  readonly rounds: number
  /** Requests of a measurement. Twice as many run before it, to warm up compiled code, connections and caches. */
  readonly requests: number
}

/**
 * Requests that the service rejects before it reads the store, compared with a Fastify route that validates a body. A busy machine
 * changes requests per second, so each side is measured by the processor time of its process, or by the clock without /proc.
 */
export async function benchRefusals({ rounds, requests }: RefusalOptions): Promise<Row> {
  const load = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url))
  async function rate(to: Pick<Load, 'origin' | 'path' | 'headers' | 'body' | 'expected'>, pid: number) {
    const send = { ...to, connections: 64, milliseconds: maxMilliseconds }
    await load.run({ ...send, maxRequests: 2 * requests })
    const before = readUse(String(pid))?.seconds
    const { perSecond, unexpected } = await load.run({ ...send, maxRequests: requests })
    const after = readUse(String(pid))?.seconds
    if (unexpected > 0) throw new Error(`${unexpected} responses were not as expected`)
    return before === undefined || after === undefined ? perSecond : requests / (after - before)
  }
  // Both sides get the same headers, including the token.
  let headers: Load['headers'] = {}
  // A new process for each round: the speed of optimised code differs by a third between processes, and stays the same within one.
  async function ours(): Promise<number> {
    // A busy machine delays the event loop, and delayed requests are rejected for that.
    const service = await startService('file::memory:', 'many', { variables: { LOCKERFLOW_SHED_LOAD: 'false' } })
    headers = await headersFor(service)
    const to = { path: '/v1/Logistics/CancelShipment', body: '{"shipmentUid":""}', expected: 'InvalidRequest' }
    const perSecond = await rate({ origin: service.address, headers, ...to }, service.pid)
    await service.stop()
    return perSecond
  }
  async function alone(): Promise<number> {
    const bare = startChild<object, BareRoute>(new URL('./bareRoute.ts', import.meta.url))
    const { origin, pid } = await bare.run({})
    const to = { path: '/bare', headers, body: '{"shipmentUid":"x"}', expected: 'success' }
    const perSecond = await rate({ origin, ...to }, pid)
    await bare.stop()
    return perSecond
  }
  const measured = await pairs(rounds, ours, alone)
  await load.stop()
  return {
    what: 'a refusal without the store, per second of the processor',
    unit: '/s',
    ours: median(measured.ours),
    baseline: median(measured.baseline),
    ratio: measured.ratio,
    bar: `at least ${bar} of a bare Fastify route`,
    met: measured.ratio >= bar,
  }
}
