import { expect, test } from 'vitest'
import { pass, type Rule } from '../wire/wire.ts'
import { book } from './booking.ts'
import { eventually } from './eventually.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

const cutOff: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
const unknown: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'status', status: 404 } : pass)

/** A flow whose window passes while the service gives no answer, and no callback comes through either. */
async function passed(away: Rule, itemIn: boolean) {
  world.toGateway.rule = () => ({ kind: 'status', status: 204 })
  const booked = await book(world, 'issue', { dropOff: '500ms' })
  world.toService.rule = away
  if (itemIn) await world.open(booked.shipment, 'deliveryCode')
  const { refusals } = await world.statusWhen(booked.caseNo, ({ refusals }) => refusals.length > 0)
  expect(refusals[0]?.what).toMatch(/^the service could not be asked: /)
  return booked
}

test('a service that is away at the deadline is asked until it answers: the item was in', async () => {
  const { caseNo, shipment } = await passed(cutOff, true)
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

test('a service that is away at the deadline is asked until it answers: nothing was in', async () => {
  const { caseNo } = await passed(cutOff, false)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
})

test('without an answer the flow does not expire: the window is longer by a minute, and callbacks count', async () => {
  const { caseNo, shipment } = await passed(unknown, true)
  const { deadline } = await world.statusWhen(caseNo, status => Date.parse(status.deadline ?? '') > Date.now() + 30_000)
  expect(Date.parse(deadline ?? '') - Date.now()).toBeLessThanOrEqual(60_000)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  world.toGateway.rule = () => pass
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('what is cancelled without an answer at the deadline is cleaned up', async () => {
  const { caseNo } = await passed(cutOff, false)
  const cancelled = world.flows.cancel(caseNo, 'over')
  world.toService.rule = () => pass
  // Whichever is first: the answer about the window, or the order to end.
  expect(['cancelled', 'expired']).toContain(((await cancelled) as { outcome?: string }).outcome)
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})
