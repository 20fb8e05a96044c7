import { describe, expect, test } from 'vitest'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { pass } from '../wire/wire.ts'
import { book } from './booking.ts'
import { eventually } from './eventually.ts'
import { eventsOf } from './history.ts'
import { useWorld } from './useWorld.ts'
import type { World } from './world.ts'

const profile = { ...fullProfile, standardWebhooks: false }

/** The weak signature covers neither state nor time, so whoever saw one callback can send these. */
function hint({ client }: World, caseNo: string, shipmentUid: string): Promise<void> {
  const forged = { shipmentUid, stateCode: 'Completed', stateStart: '2999-01-01T00:00:00.000' }
  return client.workflow.getHandle(workflowIdOf(caseNo)).signal(shipmentStatus, forged)
}

function looksOf({ toService }: World): number {
  return toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
}

describe('a callback that is only a hint', () => {
  const world = useWorld({ profile })

  test('whose look gets no answer is followed by another look soon', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ refusals }) => refusals.some(({ what }) => what.includes('could not be asked')))
    // The next scheduled look is an hour away, the window two days.
    const seconds = await eventually(async () => {
      const started = (await eventsOf(world, caseNo)).flatMap(event => event.timerStartedEventAttributes ?? [])
      const last = Number(started.at(-1)?.startToFireTimeout?.seconds)
      return started.length > 1 ? last : undefined
    })
    expect(seconds).toBeLessThanOrEqual(60)
    world.toService.rule = () => pass
    await hint(world, caseNo, shipment.shipmentUid)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('costs no look of its own when many come at once', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    const before = looksOf(world)
    await Promise.all(Array.from({ length: 50 }, () => hint(world, caseNo, shipment.shipmentUid)))
    await eventually(() => looksOf(world) > before)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'dropOff', state: 'waiting' })
    expect(looksOf(world) - before).toBeLessThan(50)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('forged hints', () => {
  const world = useWorld({ profile, looks: { first: 1_500, longest: 3_600_000 } })

  test('do not put off the looks that are due', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    // Each would double the interval if it counted: the next look would be minutes away.
    for (let sent = 0; sent < 8; sent++) {
      const before = looksOf(world)
      await hint(world, caseNo, shipment.shipmentUid)
      await eventually(() => looksOf(world) > before)
    }
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  }, 15_000)
})
