import { book, bookedOne } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One shipment that is ready for pick up, by the user, or by the dispatcher when there is none. */
export const CreateCollectOnlyShipment: Handler<'CreateCollectOnlyShipment'> = async (call, request) => {
  const { ToUserUid: userUid, KeepBookedAfterPickUp: kept } = request
  const to = userUid == null ? 'dispatcher' : { userUid, field: 'ToUserUid' }
  return bookedOne(call, await book(call, { request, from: 'dispatcher', to, stock: false, collectOnly: { kept } }))
}
