import { closeWorlds, simulate } from '#testing/simulator'
import { type Child, startChild } from './child.ts'
import type { FixedWorkJob } from './fixedWork.ts'
import { secondsOfWork } from './processors.ts'
import type { Row } from './row.ts'

const wanted = 500
/** Loans before each measurement. V8 compiles the code of a process during its first thousands. */
const warmUps = [300, 3_200] as const
/** Loans of a slice, which alternate with fixed work: the speed of a machine can change within a run. */
const slice = 100
const slices = 15

const loan = {
  flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  before: { item: 'inStock' },
  request: { PriorShipmentUid: { $item: 'item' }, ToUserUid: { $user: 1 } },
  story: [{ pickUp: 'issue' }, { dropOff: 'intake' }],
} as const

/**
 * Whole loans per second of one core: an item in stock is issued, comes back, and is stock again. The first simulation
 * puts the item in stock, and the others start from that state.
 */
export async function benchSimulator(): Promise<Row[]> {
  const fixed = startChild<FixedWorkJob, number>(new URL('./fixedWork.ts', import.meta.url))
  const rows: Row[] = []
  let played = 0
  for (const warmUp of warmUps) {
    await play(warmUp)
    await fixed.run({ times: warmUp })
    played += warmUp
    rows.push(...(await compare(`simulated loans after the first ${played.toLocaleString('en')}`, fixed)))
    played += slice * slices
  }
  await Promise.all([closeWorlds(), fixed.stop()])
  return rows
}

async function compare(what: string, fixed: Child<FixedWorkJob, number>): Promise<Row[]> {
  const seconds = { ours: 0, fixed: 0 }
  for (let n = 0; n < slices; n++) {
    seconds.ours += await secondsOfWork(() => play(slice))
    seconds.fixed += await fixed.run({ times: slice })
  }
  const [ours, baseline] = [(slice * slices) / seconds.ours, (slice * slices) / seconds.fixed]
  const bar = `at least ${wanted} a second on one core`
  return [
    { what: `${what}, by processor time`, unit: '/s', ours, ratio: ours / wanted, bar, met: ours >= wanted },
    { what: `${what}, against fixed work`, unit: '/s', ours, baseline, ratio: ours / baseline },
  ]
}

async function play(count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    const { outcome } = await simulate({ ...loan, seed })
    if (outcome !== 'completed') throw new Error(`The loan of seed ${seed} has ended as ${outcome}.`)
  }
}
