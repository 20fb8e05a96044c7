import { startWith } from '../flows/underway.ts'
import { parcel, type World } from '../flows/world.ts'
import type { Scenario } from './scenario.ts'

/** A collection whose booking is kept. */
export async function keep(world: World): Promise<string> {
  const { caseNo } = await startWith(world, 'collectByUser', {
    ...parcel,
    ToUserUid: world.userUid,
    KeepBookedAfterPickUp: true,
  })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'kept')
  return caseNo
}

/** A local shipment with an item inside, for nobody yet. */
export async function waitForReceiver(world: World) {
  const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
  const { caseNo, shipments } = await startWith(world, 'localShipment', request)
  const [shipment] = shipments
  if (shipment === undefined) throw new Error('nothing was booked')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'receiver')
  return { caseNo, shipment }
}

/** What only some flows are told. */
export const ordered: readonly Scenario[] = [
  {
    name: 'collectByUser-kept-released',
    async play(world) {
      const caseNo = await keep(world)
      await world.flows.release(caseNo)
      return caseNo
    },
  },
  {
    name: 'collectByUser-kept-cancelled',
    async play(world) {
      const caseNo = await keep(world)
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
  {
    name: 'localShipment-receiver-assigned',
    async play(world) {
      const { caseNo, shipment } = await waitForReceiver(world)
      await world.flows.assignReceiver(caseNo, 'nobody')
      await world.flows.assignReceiver(caseNo, world.userUid)
      await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
      await world.open(shipment, 'pickUpCode')
      await world.flows.result(caseNo)
      return caseNo
    },
  },
  {
    name: 'localShipment-cancelled-in-receiver',
    async play(world) {
      const { caseNo } = await waitForReceiver(world)
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
]
