import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { pass, type Rule } from '../../../support/wire.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()

const connectionLost: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
const unknown: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'status', status: 404 } : pass)

/** A flow whose window passes while the service gives no answer, and no callback comes through either. */
async function passed(away: Rule, itemIn: boolean) {
  world.toGateway.rule = () => ({ kind: 'status', status: 204 })
  // Long enough for a busy machine to begin the outage within it. The flow reads its booking before.
  const booked = await book(world, 'issue', { dropOff: '5s' })
  world.toService.rule = away
  if (itemIn) await world.open(booked.shipment, 'deliveryCode')
  const { rejections } = await world.statusWhen(booked.caseNo, ({ rejections }) => rejections.length > 0)
  expect(rejections[0]?.what).toMatch(/^the service could not be read: /)
  return booked
}

test('a service that is unavailable at the deadline is retried until it responds: the item was in', async () => {
  const { caseNo, shipment } = await passed(connectionLost, true)
  const asked = world.toService.passings.length
  await eventually(() => world.toService.passings.length > asked + 1)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  expect(status).toMatchObject({ state: 'waiting', overdue: false })
  world.toGateway.rule = () => pass
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a service that is unavailable at the deadline is retried until it responds: nothing was in', async () => {
  const { caseNo } = await passed(connectionLost, false)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
})

test('without a response the flow does not expire: the window is a minute longer, and callbacks count', async () => {
  const { caseNo, shipment } = await passed(unknown, true)
  const { deadline } = await world.statusWhen(caseNo, status => Date.parse(status.deadline ?? '') > Date.now() + 30_000)
  expect(Date.parse(deadline ?? '') - Date.now()).toBeLessThanOrEqual(60_000)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  world.toGateway.rule = () => pass
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a flow that is cancelled without a response at the deadline is cleaned up', async () => {
  const { caseNo } = await passed(connectionLost, false)
  const cancelled = world.flows.cancel(caseNo, 'over')
  world.toService.rule = () => pass
  // Whichever is first: the answer about the window, or the order to end.
  expect(['cancelled', 'expired']).toContain(((await cancelled) as { outcome?: string }).outcome)
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})
