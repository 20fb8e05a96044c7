import { closeWorlds, simulate } from '#simulator'
import type { Row } from './row.ts'

const wanted = 500
const warmUp = 300
const measured = 1_500

const loan = {
  flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  before: { item: 'inStock' },
  request: { PriorShipmentUid: { $item: 'item' }, ToUserUid: { $user: 1 } },
  story: [{ pickUp: 'issue' }, { dropOff: 'intake' }],
} as const

/** Whole loans per second of one core: an item becomes stock, is issued, comes back, and is stock again. */
export async function benchSimulator(): Promise<Row[]> {
  await play(warmUp)
  const before = process.cpuUsage()
  await play(measured)
  const { user, system } = process.cpuUsage(before)
  await closeWorlds()
  const ours = measured / ((user + system) / 1_000_000)
  const row = { what: 'simulated loans, by processor time', unit: '/s', ours, ratio: ours / wanted }
  return [{ ...row, bar: `at least ${wanted} a second on one core`, met: ours >= wanted }]
}

async function play(count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    const { outcome } = await simulate({ ...loan, seed })
    if (outcome !== 'completed') throw new Error(`The loan of seed ${seed} has ended as ${outcome}.`)
  }
}
