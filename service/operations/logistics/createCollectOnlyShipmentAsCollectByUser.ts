import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One shipment that is ready for pick up by the user. */
export const CreateCollectOnlyShipmentAsCollectByUser: Handler<'CreateCollectOnlyShipmentAsCollectByUser'> = async (
  call,
  request,
) => {
  const to = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const collectOnly = { kept: request.KeepBookedAfterPickUp }
  const made = await book(call, { request, from: 'dispatcher', to, stock: false, collectOnly })
  return { shipmentUids: [made.shipment_uid] }
}
