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
  const bare = startChild<object, string>(new URL('./bareRoute.ts', import.meta.url))
  const service = await startService('file::memory:')
  const shared = { headers: await headersFor(service), connections: 64, milliseconds, most: Number.MAX_SAFE_INTEGER }
  const toUs: Load = {
    ...shared,
    origin: service.origin,
    path: '/v1/Logistics/CancelShipment',
    body: '{"shipmentUid":""}',
    expected: 'InvalidRequest',
  }
  const toBare: Load = {
    ...shared,
    origin: await bare.run({}),
    path: '/bare',
    body: '{"shipmentUid":"x"}',
    expected: 'success',
  }
  const rate = async (to: Load) => {
    const { perSecond, unexpected } = await load.run(to)
    if (unexpected > 0) throw new Error(`${unexpected} answers were not those expected`)
    return perSecond
  }
  await rate(toUs)
  await rate(toBare)
  const { ours, baseline, ratio } = await pairs(
    rounds,
    () => rate(toUs),
    () => rate(toBare),
  )
  await Promise.all([load.stop(), bare.stop(), service.stop()])
  return {
    what: 'a refusal without the store',
    unit: '/s',
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    bar: `at least ${bar} of a bare Fastify route`,
    met: ratio >= bar,
  }
}
