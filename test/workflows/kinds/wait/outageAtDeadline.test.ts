import { expect, test } from 'vitest'
import type { FlowStatus } from '#flows'
import { pass, type Rule } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { book, rejectionsOf } from '../../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../../support/flows/clock.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld(movableClock)

const connectionLost: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
const unknown: Rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'status', status: 404 } : pass)

/** Milliseconds from the clock of Temporal to that of the flow, just behind the end of its window. */
const ahead = 48 * hour + 1_000

/** A flow whose window passes while the service gives no answer, and no callback comes through either. */
async function passed(away: Rule, itemIn: boolean) {
  world.toGateway.rule = () => ({ kind: 'status', status: 204 })
  const booked = await book(world, 'issue', { dropOff: '48h' })
  world.toService.rule = away
  if (itemIn) await world.open(booked.shipment, 'deliveryCode')
  const moved = moveFlowClock(world, booked.caseNo, ahead)
  const status = await world.statusWhen(booked.caseNo, status => rejectionsOf(status).length > 0)
  expect(rejectionsOf(status)[0]?.what).toMatch(/^the service could not be read: /)
  return { ...booked, moved }
}

test('a service that is unavailable at the deadline is retried until it responds: the item was in', async () => {
  const { caseNo, shipment, moved } = await passed(connectionLost, true)
  const asked = world.toService.passings.length
  await eventually(() => world.toService.passings.length > asked + 1)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  expect(status).toMatchObject({ state: 'waiting', overdue: false })
  world.toGateway.rule = () => pass
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await moved
})

test('a service that is unavailable at the deadline is retried until it responds: nothing was in', async () => {
  const { caseNo, moved } = await passed(connectionLost, false)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
  await moved
})

test('without a response the flow does not expire: the window is a minute longer, and callbacks count', async () => {
  const { caseNo, shipment, moved } = await passed(unknown, true)
  const left = ({ deadline }: FlowStatus) => Date.parse(deadline ?? '') - (Date.now() + ahead)
  const longer = await world.statusWhen(caseNo, status => left(status) > 30_000)
  expect(left(longer)).toBeLessThanOrEqual(60_000)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'dropOff', result: null })
  world.toService.rule = () => pass
  world.toGateway.rule = () => pass
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await moved
})

test('a flow that is cancelled without a response at the deadline is cleaned up', async () => {
  const { caseNo, moved } = await passed(connectionLost, false)
  const cancelled = world.flows.cancel(caseNo, 'over')
  world.toService.rule = () => pass
  // Whichever is first: the answer about the window, or the order to end.
  expect(['cancelled', 'expired']).toContain(((await cancelled) as { outcome?: string }).outcome)
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  await moved
})
