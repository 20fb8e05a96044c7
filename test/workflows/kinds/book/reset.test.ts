import { expect, test } from 'vitest'
import { book } from '../../../support/flows/booking.ts'
import { resetToStart } from '../../../support/flows/reset.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()

test('a flow that is reset to before its booking books nothing twice', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await resetToStart(world, caseNo)
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  expect(status.shipments).toMatchObject([{ shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForPickup' }])
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})
