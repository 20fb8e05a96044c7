import { expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import { requireRole, useWorkshop } from '../../../support/flows/useWorkshop.ts'
import { pass } from '../../../support/wire.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** A customer who declines gives the locker back. */
const declined: FlowDeclaration = {
  name: 'declined',
  summary: 'A locker is freed if the customer declines.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock' },
    {
      ...{ name: 'offer', summary: 'The customer answers.', who: 'customer', ask: { agree: {}, decline: {} } },
      ...{ window: '1h', onTimeout: 'cancel' },
    },
    {
      ...{ name: 'giveUp', summary: 'The locker is freed.', when: { 'offer.answer': 'decline' } },
      ...{ call: 'CancelShipment', request: { shipmentUid: { from: 'stock.shipmentUid' } } },
    },
    {
      ...{ name: 'dropOff', summary: 'The parcel is placed in the locker.', when: { 'offer.answer': 'agree' } },
      ...{ wait: { stock: 'WaitForReceiver' }, window: '1h', onTimeout: 'cancel' },
    },
  ],
}

const world = useWorld()
const { startFlow, give, resultOf } = useWorkshop(world, { flows: [declined] })
const start = () => startFlow('declined', { booked: 1, request: parcel })
const isAsked = ({ asks }: { readonly asks: object | null }) => asks !== null

test('a call that cancels a shipment of the flow completes it, and the locker is free', async () => {
  const caseNo = await start()
  const { shipments } = await world.statusWhen(caseNo, isAsked)
  await give(caseNo, { step: 'offer', answer: 'decline' })
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
  const { shipmentUid } = requireRole(shipments, 'stock')
  expect((await world.api.call('GetShipments', { shipmentUid })).items).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('so does a call whose response is lost: its repetition is refused', async () => {
  const caseNo = await start()
  await world.statusWhen(caseNo, isAsked)
  let calls = 0
  world.toService.rule = ({ path }) =>
    path.endsWith('/CancelShipment') && calls++ === 0 ? { kind: 'loseAnswer' } : pass
  await give(caseNo, { step: 'offer', answer: 'decline' })
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
  expect(calls).toBe(2)
})

test('a customer who agrees brings the parcel', async () => {
  const caseNo = await start()
  const { shipments } = await world.statusWhen(caseNo, isAsked)
  await give(caseNo, { step: 'offer', answer: 'agree' })
  await world.open(requireRole(shipments, 'stock'), 'deliveryCode')
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
})
