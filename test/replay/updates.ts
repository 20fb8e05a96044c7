import { startWith } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'

/** Starts a collection with a kept booking. */
export async function startKept(
  world: World,
  flow: 'collectByUser' | 'collectByDispatcher' = 'collectByUser',
): Promise<string> {
  const user = flow === 'collectByUser' ? { ToUserUid: world.userUid } : {}
  const { caseNo } = await startWith(world, flow, { ...parcel, ...user, KeepBookedAfterPickUp: true })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'kept')
  return caseNo
}

/** Starts a local shipment and drops off its item. The shipment has no receiver yet. */
export async function startWithoutReceiver(world: World) {
  const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
  const { caseNo, shipments } = await startWith(world, 'localShipment', request)
  const [shipment] = shipments
  if (shipment === undefined) throw new Error('the booking has no shipments')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'naming')
  return { caseNo, shipment }
}

/** Names a user whom the service does not know: the flow asks again. */
export async function nameUnknown(world: World, caseNo: string): Promise<void> {
  await world.flows.assignReceiver(caseNo, 'nobody')
  await world.statusWhen(
    caseNo,
    ({ asks, lines }) => asks !== null && (lines ?? []).some(({ scope }) => /#[^1]/.test(scope)),
  )
}

/** Updates that only some flows accept. */
export const updates: readonly Scenario[] = [
  ...(['collectByUser', 'collectByDispatcher'] as const).flatMap((flow): Scenario[] => [
    {
      name: `${flow}-kept-released`,
      async play(world) {
        const caseNo = await startKept(world, flow)
        await world.flows.release(caseNo)
        await world.flows.result(caseNo)
        return caseNo
      },
    },
    {
      name: `${flow}-kept-cancelled`,
      async play(world) {
        const caseNo = await startKept(world, flow)
        await world.flows.cancel(caseNo, 'recorded')
        return caseNo
      },
    },
  ]),
  {
    name: 'localShipment-receiver-assigned',
    async play(world) {
      const { caseNo, shipment } = await startWithoutReceiver(world)
      await nameUnknown(world, caseNo)
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
      const { caseNo } = await startWithoutReceiver(world)
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
]
