import { describe, expect, test } from 'vitest'
import { type ShipmentStatus, workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { pass, type Rule } from '../wire/wire.ts'
import { book, requestOf } from './booking.ts'
import { eventually } from './eventually.ts'
import { startFor, walk } from './underway.ts'
import { useWorld } from './useWorld.ts'

const swallowed = { kind: 'status', status: 204 } as const

/** Callbacks of a state are confirmed and never arrive. */
function swallow(...stateCodes: string[]): Rule {
  return ({ body }) => (stateCodes.some(code => body.includes(`"${code}"`)) ? swallowed : pass)
}

describe('with callbacks only', () => {
  const world = useWorld()

  function tell(caseNo: string, told: Partial<ShipmentStatus>) {
    const message = { shipmentUid: 'none', stateCode: 'Completed', stateStart: '2026-01-01T00:00:00.000', ...told }
    return world.client.workflow.getHandle(workflowIdOf(caseNo)).signal(shipmentStatus, message)
  }

  test('a callback that comes before the answer to the booking is not lost', async () => {
    const caseNo = world.newCase()
    // The booking is answered once both openings have been called back, so nothing is left to hear afterwards.
    const over = eventually(() => world.toGateway.passings.filter(({ body }) => body.includes(caseNo)).length >= 3)
    world.toService.rule = ({ body }) => (body.includes(caseNo) ? { kind: 'answerLater', until: over } : pass)
    const booking = world.flows.startAndWaitForBooking('issue', { caseNo, request: requestOf(world, 'issue') })
    const shipment = await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    await world.open({ ...shipment, role: 'issue' }, 'deliveryCode')
    await world.open({ ...shipment, role: 'issue' }, 'pickUpCode')
    // The flow may end in the very moment in which it is booked.
    expect(['Booked', 'CaseFinished']).toContain((await booking).kind)
    expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
  })

  test('a callback that comes three times counts once', async () => {
    world.toGateway.rule = () => ({ kind: 'repeat', times: 3 })
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(status.refusals).toEqual([])
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an older callback that comes late changes nothing', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    const before = world.toGateway.passings.findLast(({ body }) => body.includes(caseNo))?.body ?? '{}'
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await tell(caseNo, JSON.parse(before).message)
    const { stage, refusals, shipments } = await world.statusWhen(caseNo, () => true)
    expect({ stage, refusals, shipments }).toMatchObject({
      stage: 'pickUp',
      refusals: [],
      shipments: [{ stateCode: 'ReadyForPickup' }],
    })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a skipped callback does not hold the flow up: the next one says it too', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    world.toGateway.rule = swallow('ReadyForPickup')
    await world.open(shipment, 'deliveryCode')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an impossible callback is refused, noted, and answered by asking the service', async () => {
    const underway = await startFor(world, 'issueAndSwapIntake')
    const { caseNo, shipments } = underway
    await walk(world, underway, 'collect')
    const asked = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = asked()
    await tell(caseNo, { shipmentUid: shipments[0]?.shipmentUid ?? '', stateCode: 'Cancelled' })
    await eventually(() => asked() > before)
    const status = await world.statusWhen(caseNo, ({ refusals }) => refusals.length > 0)
    expect(status.refusals[0]?.what).toBe('issue: a callback said Cancelled, which cannot follow Completed')
    expect(status).toMatchObject({ stage: 'collect', shipments: [{ stateCode: 'Completed' }, {}] })
    const intake = shipments.find(({ role }) => role === 'intake')
    if (intake !== undefined) await world.open(intake, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an older state that is told with a later time changes nothing', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    const later = '2999-01-01T00:00:00.000'
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForDropOff', stateStart: later })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ shipments: [{ stateCode: 'ReadyForPickup' }] })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test.each(['1999-01-01T00:00:00.000', 'not a time'])(
    'a newer state is believed whatever its time: %s',
    async time => {
      const { caseNo, shipment } = await book(world, 'stock')
      await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'WaitForReceiver', stateStart: time })
      expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
      await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    },
  )

  test.each([
    ['of a shipment that is not the flow’s own', { shipmentUid: 'another' }],
    ['without a state', { stateCode: undefined as unknown as string }],
    ['that is empty', { shipmentUid: undefined as unknown as string, stateCode: '' }],
  ])('a callback %s changes nothing', async (_, told) => {
    const { caseNo, shipment } = await book(world, 'stock')
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, ...told })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({
      state: 'waiting',
      shipments: [{ stateCode: 'ReadyForDropOff' }],
    })
    await world.flows.cancel(caseNo, 'over')
  })

  test('a state that we do not know is kept as it came, and the flow goes on', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const stateStart = new Date().toISOString().slice(0, -1)
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'InTransit', stateStart })
    await world.statusWhen(caseNo, ({ shipments }) => shipments[0]?.stateCode === 'InTransit')
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a shipment that somebody else cancels ends the flow as cancelled', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'cancelled', leftOver: [], shipments: [{ stateCode: 'Cancelled' }] },
    })
  })
})

describe('when no callback comes through', () => {
  const world = useWorld({ looks: { first: 200, longest: 400 } })

  test.each(['stock', 'issue'] as const)('%s ends all the same, by looking', async flow => {
    world.toGateway.rule = () => swallowed
    const { caseNo, shipment } = await book(world, flow)
    await world.open(shipment, 'deliveryCode')
    if (flow === 'issue') {
      await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
      await world.open(shipment, 'pickUpCode')
    }
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a flow hears at its deadline what it was never told', async () => {
    await world.restartWorker({ looks: { first: 3_600_000, longest: 3_600_000 } })
    world.toGateway.rule = () => swallowed
    const { caseNo, shipment } = await book(world, 'issue', { dropOff: '700ms' })
    await world.open(shipment, 'deliveryCode')
    const { overdue } = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(overdue).toBe(false)
    await world.flows.cancel(caseNo, 'over')
  })
})
