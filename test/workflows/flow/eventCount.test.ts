import { expect, test } from 'vitest'
import { book } from '../../support/flows/booking.ts'
import { eventsOf, wasDelayed } from '../../support/flows/history.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/**
 * The number of events decides the price of a flow at Temporal Cloud, and how many flows a server can run. The task for
 * the callback of the booking itself is a separate one only if it arrives before the booking's response.
 */
const most = { tasks: 5, other: 14 }

test('an issue without faults has few events, in ten of ten runs', async () => {
  const counts: { tasks: number; other: number }[] = []
  while (counts.length < 10) {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    if (await wasDelayed(world, caseNo)) continue
    const events = await eventsOf(world, caseNo)
    const tasks = events.filter(({ workflowTaskCompletedEventAttributes: completed }) => completed).length
    counts.push({ tasks, other: events.length - 3 * tasks })
  }
  console.log(`events of an issue: ${counts.map(({ tasks, other }) => 3 * tasks + other).join(' ')}`)
  expect(Math.max(...counts.map(({ tasks }) => tasks))).toBeLessThanOrEqual(most.tasks)
  expect(Math.max(...counts.map(({ other }) => other))).toBeLessThanOrEqual(most.other)
})
