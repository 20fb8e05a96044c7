import { bundleFlows, installRuntime, replay } from '#worker'
import { readHistories } from '../../test/replay/histories.ts'
import { median } from '../pairs.ts'
import type { Row } from '../row.ts'

const bar = 5

/** Replay of all recorded histories with a finished bundle: a developer waits for it after each change. */
export async function benchReplay(rounds: number): Promise<Row> {
  installRuntime('ERROR')
  const bundle = await bundleFlows()
  const histories = [...readHistories().values()]
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const faults = await replay(bundle, histories)
    times.push((performance.now() - began) / 1_000)
    if (faults.length > 0) throw new Error(`histories do not replay: ${JSON.stringify(faults)}`)
  }
  return {
    what: `replay of ${histories.length} recorded histories`,
    unit: 's',
    ours: median(times),
    bar: `under ${bar} s`,
    met: median(times) < bar,
  }
}
