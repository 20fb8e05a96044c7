import { describe, expect, test } from 'vitest'
import { type ShipmentStatus, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass, type Rule } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { book, rejectionsOf, requestOf } from '../../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../../support/flows/clock.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { startFor, walk } from '../../../support/flows/underway.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const swallowed = { kind: 'status', status: 204 } as const

/** Callbacks of a state are confirmed and never arrive. */
function swallow(...stateCodes: string[]): Rule {
  return ({ body }) => (stateCodes.some(code => body.includes(`"${code}"`)) ? swallowed : pass)
}

describe('with callbacks only', () => {
  const world = useWorld()

  function tell(caseNo: string, told: Partial<ShipmentStatus>) {
    const message = { shipmentUid: 'none', stateCode: 'Completed', stateStart: '2026-01-01T00:00:00.000', ...told }
    return world.client.workflow.getHandle(toWorkflowId(caseNo)).signal(shipmentStatus, message)
  }

  test("a callback that arrives before the booking's response is not lost", async () => {
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

  test('a signal that arrives three times counts once', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    const body = world.toGateway.passings.findLast(passing => passing.body.includes(caseNo))?.body ?? '{}'
    for (let times = 0; times < 3; times++) await tell(caseNo, JSON.parse(body).message)
    const status = await world.statusWhen(caseNo, () => true)
    expect({ stage: status.stage, rejections: rejectionsOf(status) }).toEqual({ stage: 'pickUp', rejections: [] })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a callback that is sent 500 times is one signal', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    let isRepeated = false
    world.toGateway.rule = ({ body }) => {
      if (isRepeated || !body.includes('"ReadyForPickup"') || !body.includes(caseNo)) return pass
      // Once: a busy machine can need longer for them than the service waits before it sends the callback again.
      isRepeated = true
      return { kind: 'repeat', times: 500 }
    }
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    const events = await eventsOf(world, caseNo)
    const signals = events.filter(event => event.workflowExecutionSignaledEventAttributes)
    // The service created the shipment, then each opening changed it.
    expect(signals.length).toBeLessThanOrEqual(3)
    expect(events.length).toBeLessThan(50)
  })

  test('an older callback that arrives late changes nothing', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    const { body: before } = await eventually(() => world.toGateway.passings.find(({ body }) => body.includes(caseNo)))
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await tell(caseNo, JSON.parse(before).message)
    const status = await world.statusWhen(caseNo, () => true)
    expect(status).toMatchObject({ stage: 'pickUp', shipments: [{ stateCode: 'ReadyForPickup' }] })
    expect(rejectionsOf(status)).toEqual([])
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a lost callback does not block the flow: the next one implies it', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    world.toGateway.rule = swallow('ReadyForPickup')
    await world.open(shipment, 'deliveryCode')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an impossible callback is rejected, recorded, and followed by a poll', async () => {
    const underway = await startFor(world, 'issueAndSwapIntake')
    const { caseNo, shipments } = underway
    await walk(world, underway, 'collect')
    const asked = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = asked()
    await tell(caseNo, { shipmentUid: shipments[0]?.shipmentUid ?? '', stateCode: 'Cancelled' })
    await eventually(() => asked() > before)
    const status = await world.statusWhen(caseNo, status => rejectionsOf(status).length > 0)
    expect(rejectionsOf(status)[0]?.what).toBe('issue: a callback reported Cancelled, which cannot follow Completed')
    expect(status).toMatchObject({ stage: 'collect', shipments: [{ stateCode: 'Completed' }, {}] })
    const intake = shipments.find(({ role }) => role === 'intake')
    if (intake !== undefined) await world.open(intake, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an older state with a later time changes nothing', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    const later = '2999-01-01T00:00:00.000'
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForDropOff', stateStart: later })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ shipments: [{ stateCode: 'ReadyForPickup' }] })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test.each(['1999-01-01T00:00:00.000', 'not a time'])('a newer state is applied whatever its time: %s', async time => {
    const { caseNo, shipment } = await book(world, 'stock')
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'WaitForReceiver', stateStart: time })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
  })

  test('a field that is null counts as unset, so its state is applied', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const lockerOutOfService = null as never
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'WaitForReceiver', lockerOutOfService })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
  })

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

  test('an unknown state is stored unchanged, and the flow continues', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const stateStart = new Date().toISOString().slice(0, -1)
    await tell(caseNo, { shipmentUid: shipment.shipmentUid, stateCode: 'InTransit', stateStart })
    await world.statusWhen(caseNo, ({ shipments }) => shipments[0]?.stateCode === 'InTransit')
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a shipment that is cancelled at the service ends the flow as cancelled', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'cancelled', leftOver: [], shipments: [{ stateCode: 'Cancelled' }] },
    })
  })
})

describe('when no callback arrives', () => {
  const world = useWorld({ ...movableClock, pollInterval: { initial: 200, maximum: 400 } })

  test.each(['stock', 'issue'] as const)('%s still completes, by polling', async flow => {
    world.toGateway.rule = () => swallowed
    const { caseNo, shipment } = await book(world, flow)
    await world.open(shipment, 'deliveryCode')
    if (flow === 'issue') {
      await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
      await world.open(shipment, 'pickUpCode')
    }
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a flow reads at its deadline what no callback reported', async () => {
    await world.restartWorker({ pollInterval: { initial: 3_600_000, maximum: 3_600_000 } })
    world.toGateway.rule = () => swallowed
    const { caseNo, shipment } = await book(world, 'issue', { dropOff: '48h' })
    await world.open(shipment, 'deliveryCode')
    await moveFlowClock(world, caseNo, 49 * hour)
    const { overdue } = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(overdue).toBe(false)
    await world.flows.cancel(caseNo, 'over')
  })
})
