import type { ReadRequestOf } from '#contract'
import { book, bookAfter, bookedOne, type Party, type Shipment, shipmentToChange } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One shipment from one account to another, on its own or as a swap of an existing one, which keeps its pick up code. */
export const CreateLocalShipment: Handler<'CreateLocalShipment'> = async (call, request) => {
  const { ReferenceNo, ReferenceCaseNo, Description, SwapsShipmentUid, Dimension: dimension } = request
  const details = { ReferenceNo, ReferenceCaseNo, Description }
  if (SwapsShipmentUid == null) {
    const parties = partiesOf(request)
    return bookedOne(call, await book(call, { request: { ...request, Details: details }, ...parties }))
  }
  const prior = await shipmentToChange(call, SwapsShipmentUid, 'SwapsShipmentUid')
  const parties = partiesOf(request, prior)
  const swap = await bookAfter(call, { prior, link: 'swap', ...parties, dimension, details, place: request })
  return bookedOne(call, swap)
}

/**
 * Who sends and who receives. Where only one user is given the dispatcher is the other; a swap without both comes from
 * whoever collects the swapped shipment. What has no receiver yet is stock.
 */
function partiesOf(request: ReadRequestOf<'CreateLocalShipment'>, swapped?: Shipment) {
  const { FromUserUid, ToUserUid, IsReceiverDelayed } = request
  const stock = IsReceiverDelayed === true
  const otherwise: Party = swapped !== undefined && ToUserUid == null ? { receiverOf: swapped } : 'dispatcher'
  const from = named(FromUserUid, 'FromUserUid') ?? otherwise
  const to = stock ? null : (named(ToUserUid, 'ToUserUid') ?? 'dispatcher')
  return { from, to, stock }
}

function named(userUid: string | null | undefined, field: string): Party | undefined {
  return userUid == null ? undefined : { userUid, field }
}
