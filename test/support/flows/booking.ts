import type { FlowName, FlowShipment, FlowStatus } from '#flows'
import { parcel } from '../world/apiWorld.ts'
import type { World } from '../world/flowWorld.ts'

export interface Case {
  readonly caseNo: string
  readonly shipment: FlowShipment
}

/** The request of each flow in these tests. */
export function requestOf(world: World, flow: FlowName): Record<string, unknown> {
  return flow === 'stock' ? parcel : { ...parcel, ToUserUid: world.userUid }
}

/** Starts a flow and waits for its only shipment. */
export async function book(world: World, flow: FlowName, windows = {}): Promise<Case> {
  const caseNo = world.newCase()
  const request = requestOf(world, flow)
  const booking = await world.flows.startAndWaitForBooking(flow, { caseNo, request, windows })
  if (booking.kind !== 'Booked' || booking.shipments[0] === undefined) throw new Error(JSON.stringify(booking))
  return { caseNo, shipment: booking.shipments[0] }
}

/** The rejections of a flow except the first attempt to book, which exceeds its two seconds on a busy machine. */
export function rejectionsOf({ rejections }: Pick<FlowStatus, 'rejections'>): FlowStatus['rejections'] {
  return rejections.filter(({ what }) => !what.startsWith('the first attempt to book failed: '))
}
