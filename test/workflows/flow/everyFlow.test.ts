import { beforeAll, describe, expect, test } from 'vitest'
import { rolesOf } from '#flows'
import { journeys, requestBeforeStock } from '../../support/flows/journeys.ts'
import { declared, expectCleanedUp, stages } from '../../support/flows/stages.ts'
import { startFor, startWith, walk } from '../../support/flows/underway.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

test.each(declared)('$name runs to its end', async flow => {
  const { name, outputs = {} } = flow
  const journey = journeys[name]
  const underway = await startFor(world, name)
  expect(underway.shipments.map(({ role }) => role)).toEqual(Object.keys(rolesOf(flow)))
  await walk(world, underway)
  const ended = await world.flows.result(underway.caseNo)
  const result = ended.kind === 'Ended' ? ended.result : undefined
  expect(result).toMatchObject({ flow: name, outcome: 'completed', leftOver: [] })
  const endsIn = Object.fromEntries(result?.shipments.map(({ role, stateCode }) => [role, stateCode]) ?? [])
  expect(endsIn).toEqual(journey.ends)
  for (const [field, path] of Object.entries(outputs)) {
    expect(result?.[field]).toBe(underway.shipments.find(({ role }) => path === `${role}.shipmentUid`)?.shipmentUid)
  }
})

describe.each(stages)('$name in $stage', ({ name, stage, declaration }) => {
  test('is cancelled, and cleans up', async () => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    expect(await world.flows.cancel(underway.caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
    await expectCleanedUp(world, underway, declaration)
  })

  test('ends when an operator cancels its shipment at the service', async () => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    const { items } = await world.api.call('GetShipments', { activeShipments: true, referenceCaseNo: underway.caseNo })
    const [first] = items
    await world.api.call('CancelShipment', { shipmentUid: first?.shipmentUid ?? '' })
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    await expectCleanedUp(world, underway, declaration)
  })
})

const fromStock = declared.filter(flow => Object.values(rolesOf(flow)).some(({ existing }) => existing))

test.each(fromStock)('$name waits for an item that is not in stock yet', async ({ name }) => {
  const request = await requestBeforeStock(world)
  const underway = await startWith(world, name, request)
  expect(await world.statusWhen(underway.caseNo, () => true)).toMatchObject({ stage: 'ready' })
  await world.openShipment(String(request.PriorShipmentUid), 'deliveryCode')
  await walk(world, underway)
  expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a returned item is lent again, and the previous loan does not change', async () => {
  const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
  const first = await startFor(world, loan)
  await walk(world, first)
  const ended = await world.flows.result(first.caseNo)
  const stockShipmentUid = ended.kind === 'Ended' ? ended.result.stockShipmentUid : undefined
  // Issuing gives the shipment the new case, so the loan before counts one shipment less from now on.
  world.cases.set(first.caseNo, 2)
  const second = await startWith(world, loan, { PriorShipmentUid: stockShipmentUid, ToUserUid: world.userUid })
  await walk(world, second)
  expect(await world.flows.result(second.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

describe('without a workflow cache, so that every workflow task is a replay', () => {
  beforeAll(() => world.restartWorker({ maxCachedWorkflows: 0 }))

  test.each(declared)('$name runs to its end', async ({ name }) => {
    const underway = await startFor(world, name)
    await walk(world, underway)
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})
