import { startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { Load, LoadResult } from './load.ts'
import { headersFor, startService } from './runningService.ts'

const bar = 0.5

/** A request that is refused before the store is asked, against a bare Fastify route that checks a body too. */
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
    // Compiled, connected and cached first.
    await load.run(send)
    const { perSecond, unexpected } = await load.run(send)
    if (unexpected > 0) throw new Error(`${unexpected} answers were not those expected`)
    return perSecond
  }
  // The same for both, a token too.
  let headers: Load['headers'] = {}
  // A process for each turn: what the compiler makes of one stays for its life, and differs by a third between two.
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
