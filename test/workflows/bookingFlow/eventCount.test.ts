import { expect, test } from 'vitest'
import { book } from './booking.ts'
import { eventsOf } from './history.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

/**
 * What a flow costs at a hosted Temporal, and how many of them a server carries, goes by its events. The task for the
 * callback that the booking itself brings about is one of its own only when that comes before the booking's answer.
 */
const most = { tasks: 5, other: 13 }

test('an issue without trouble has few events, in ten of ten runs', async () => {
  const counts: { tasks: number; other: number }[] = []
  for (let run = 0; run < 10; run++) {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    const events = await eventsOf(world, caseNo)
    const tasks = events.filter(({ workflowTaskCompletedEventAttributes: completed }) => completed).length
    counts.push({ tasks, other: events.length - 3 * tasks })
  }
  console.log(`events of an issue: ${counts.map(({ tasks, other }) => 3 * tasks + other).join(' ')}`)
  expect(Math.max(...counts.map(({ tasks }) => tasks))).toBeLessThanOrEqual(most.tasks)
  expect(Math.max(...counts.map(({ other }) => other))).toBeLessThanOrEqual(most.other)
}, 60_000)
