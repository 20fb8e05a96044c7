import { randomBytes } from 'node:crypto'
import type { Row } from '../row.ts'
import { benchJourney, type JourneyBars, published } from './journeyRows.ts'
import { issue, loan } from './journeys.ts'
import { readOptions } from './options.ts'
import { startSide } from './sides.ts'
import { startWorld } from './world.ts'

const bars: JourneyBars = {
  leastRate: 0.9,
  published,
  events: { bar: 'at most 3 more than without', met: (ours, baseline) => ours <= baseline + 3 },
}

/**
 * The cost of encrypted histories: the same flows with and without keys, in interleaved pairs. The gateway's signals are
 * not encrypted, since both sides share it.
 */
export async function benchCodec(): Promise<Row[]> {
  const options = readOptions(process.argv.slice(3))
  const world = await startWorld()
  try {
    const keys = `bench:${randomBytes(32).toString('base64')}`
    const sides = {
      ours: await startSide(world, 'ours', 'bench-encrypted', { LOCKERFLOW_CODEC_KEYS: keys }),
      baseline: await startSide(world, 'ours', 'bench-plain'),
    }
    const rows: Row[] = []
    for (const journey of [issue, loan]) rows.push(...(await benchJourney(world, sides, journey, bars, options)))
    await Promise.all([sides.ours.worker.stop(), sides.baseline.worker.stop()])
    return rows.map(row => ({
      ...row,
      what: `encrypted, ${row.what}`,
      ...(row.bar && { bar: row.bar.replace('the hand-written one', 'the unencrypted one') }),
    }))
  } finally {
    await world.stop()
  }
}
