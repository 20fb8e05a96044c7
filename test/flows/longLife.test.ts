import { expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { book } from './booking.ts'
import { eventually } from './eventually.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()

test('a flow whose history grows long continues as new and ends well', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  const before = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
  const { runId } = await handle.describe()
  const old = { shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForDropOff', stateStart: '2020-01-01T00:00:00.000' }
  // The server suggests it at 4,096 events. The signals stop then: it cannot happen while they pour in.
  for (let sent = 0; sent < 4_200; sent += 200) {
    await Promise.all(Array.from({ length: 200 }, () => handle.signal(shipmentStatus, old)))
  }
  await eventually(async () => (await handle.describe()).runId !== runId, 30_000)

  const after = await world.statusWhen(caseNo, () => true)
  expect(after).toEqual(before)
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'CaseInUse',
  })
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
}, 120_000)
