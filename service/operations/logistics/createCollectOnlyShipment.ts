import { createShipment, toBookedResponse } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Creates one shipment that is ready for pick up by the user, or by the dispatcher if no user is given. */
export const CreateCollectOnlyShipment: Handler<'CreateCollectOnlyShipment'> = async (call, request) => {
  const { ToUserUid: userUid, KeepBookedAfterPickUp: keepBooked } = request
  const to = userUid == null ? 'dispatcher' : { userUid, field: 'ToUserUid' }
  return toBookedResponse(
    await createShipment(call, { request, from: 'dispatcher', to, stock: false, collectOnly: { keepBooked } }),
  )
}
