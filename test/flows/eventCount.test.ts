import { expect, test } from 'vitest'
import { book } from './booking.ts'
import { eventsOf } from './history.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

/** What a flow costs at a hosted Temporal, and how many of them a server carries, goes by its events. */
const most = 26

test('an issue without trouble has few events, in ten of ten runs', async () => {
  const counts: number[] = []
  for (let run = 0; run < 10; run++) {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    counts.push((await eventsOf(world, caseNo)).length)
  }
  console.log(`events of an issue: ${counts.join(' ')}`)
  expect(Math.max(...counts)).toBeLessThanOrEqual(most)
}, 60_000)
