import { startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { Load, LoadResult } from './load.ts'
import { headersFor, startService } from './runningService.ts'

const bar = 0.5

/** Requests that the service rejects before it reads the store, compared with a Fastify route that validates a body. */
export async function benchRefusals({
  rounds,
  milliseconds,
}: {
  readonly rounds: number
  readonly milliseconds: number
}): Promise<Row> {
  const load = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url))
  async function rate(to: Pick<Load, 'origin' | 'path' | 'headers' | 'body' | 'expected'>): Promise<number> {
    const send = { ...to, connections: 64, milliseconds, most: Number.MAX_SAFE_INTEGER }
    // Warms up: compiled code, connections and caches.
    await load.run(send)
    const { perSecond, unexpected } = await load.run(send)
    if (unexpected > 0) throw new Error(`${unexpected} responses were not as expected`)
    return perSecond
  }
  // Both sides get the same headers, including the token.
  let headers: Load['headers'] = {}
  // A new process for each round: optimised code differs by a third between two processes and stays for their lives.
  async function ours(): Promise<number> {
    const service = await startService('file::memory:')
    headers = await headersFor(service)
    const to = { path: '/v1/Logistics/CancelShipment', body: '{"shipmentUid":""}', expected: 'InvalidRequest' }
    const perSecond = await rate({ origin: service.origin, headers, ...to })
    await service.stop()
    return perSecond
  }
  async function alone(): Promise<number> {
    const bare = startChild<object, string>(new URL('./bareRoute.ts', import.meta.url))
    const to = { path: '/bare', headers, body: '{"shipmentUid":"x"}', expected: 'success' }
    const perSecond = await rate({ origin: await bare.run({}), ...to })
    await bare.stop()
    return perSecond
  }
  const measured = await pairs(rounds, ours, alone)
  await load.stop()
  return {
    what: 'a refusal without the store',
    unit: '/s',
    ours: median(measured.ours),
    baseline: median(measured.baseline),
    ratio: measured.ratio,
    bar: `at least ${bar} of a bare Fastify route`,
    met: measured.ratio >= bar,
  }
}
