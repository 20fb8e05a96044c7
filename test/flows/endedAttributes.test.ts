import { expect, test } from 'vitest'
import { searchAttributes } from '#contract/terms'
import { pass } from '../wire/wire.ts'
import { book } from './booking.ts'
import { eventually } from './eventually.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()
const { caseNo: caseNumber, overdue, stage, state } = searchAttributes

/** How many of the flows of a case a search finds. */
async function found(caseNo: string, condition: string): Promise<number> {
  const { count } = await world.client.workflow.count(`${caseNumber.name} = '${caseNo}' AND ${condition}`)
  return count
}

const isOverdue = `${overdue.name} = true`
const inAStage = `${stage.name} IS NOT NULL`
const hasEnded = `${state.name} = 'ended'`

/** Every flow here is found before as what it was, so that not being found afterwards means something. */
async function expectEndedOnly(caseNo: string): Promise<void> {
  await eventually(async () => (await found(caseNo, hasEnded)) === 1)
  expect(await found(caseNo, isOverdue)).toBe(0)
  expect(await found(caseNo, inAStage)).toBe(0)
}

test.each(['completed', 'cancelled'])('an overdue flow that is %s is neither overdue nor in a stage', async outcome => {
  const { caseNo, shipment } = await book(world, 'stock', { dropOff: '300ms' })
  await eventually(async () => (await found(caseNo, `${isOverdue} AND ${stage.name} = 'dropOff'`)) === 1)
  if (outcome === 'cancelled') await world.flows.cancel(caseNo, 'over')
  else await world.open(shipment, 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome } })
  await expectEndedOnly(caseNo)
})

test('a flow that expired is neither overdue nor in a stage', async () => {
  const { caseNo } = await book(world, 'issue', { dropOff: '1500ms' })
  await eventually(async () => (await found(caseNo, `${stage.name} = 'dropOff'`)) === 1)
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired' } })
  await expectEndedOnly(caseNo)
})

test('a flow whose booking was given up has ended, too', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'loseAnswer' } : pass)
  const input = { caseNo, request: parcel, windows: { booking: '1s' } } as const
  expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ code: 'BookingGivenUp' })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ code: 'BookingGivenUp' })
  await expectEndedOnly(caseNo)
})
