import type { ReadRequestOf } from '#contract'
import {
  createLinkedShipment,
  createShipment,
  lockShipment,
  type Party,
  readLockerName,
  type Shipment,
  toBookedResponse,
} from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Creates one shipment between two accounts, alone or as a swap of an existing one, which keeps its pick up code. */
export const CreateLocalShipment: Handler<'CreateLocalShipment'> = async (call, request) => {
  const { ReferenceNo, ReferenceCaseNo, Description, SwapsShipmentUid, Dimension: dimension } = request
  const details = { ReferenceNo, ReferenceCaseNo, Description }
  if (SwapsShipmentUid == null) {
    const parties = selectParties(request)
    const { PupUid, AllowLargerLockers, AllowOverflowLockers, LockerUid } = request
    const place = { PupUid, AllowLargerLockers, AllowOverflowLockers, LockerUid }
    const booking = { ...place, Dimension: dimension, Details: details }
    return toBookedResponse(await createShipment(call, { request: booking, ...parties }))
  }
  const prior = await lockShipment(call, SwapsShipmentUid, 'SwapsShipmentUid')
  const parties = selectParties(request, prior)
  const swap = await createLinkedShipment(call, {
    prior,
    link: 'swap',
    ...parties,
    dimension,
    details,
    requestedLocation: request,
  })
  return toBookedResponse({ ...swap, locker_name: await readLockerName(call, swap) })
}

/**
 * Sender and receiver. If one user is given, the dispatcher is the other party. A swap without users comes from the
 * receiver of the swapped shipment. A shipment with a delayed receiver is stock.
 */
function selectParties(request: ReadRequestOf<'CreateLocalShipment'>, swapped?: Shipment) {
  const { FromUserUid, ToUserUid, IsReceiverDelayed } = request
  const stock = IsReceiverDelayed === true
  const defaultParty: Party = swapped !== undefined && ToUserUid == null ? { receiverOf: swapped } : 'dispatcher'
  const from = toParty(FromUserUid, 'FromUserUid') ?? defaultParty
  const to = stock ? null : (toParty(ToUserUid, 'ToUserUid') ?? 'dispatcher')
  return { from, to, stock }
}

function toParty(userUid: string | null | undefined, field: string): Party | undefined {
  return userUid == null ? undefined : { userUid, field }
}
