import { createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CreateCollectOnlyShipmentAsCollectByUser: Handler<'CreateCollectOnlyShipmentAsCollectByUser'> = async (
  call,
  request,
) => {
  const to = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const collectOnly = { keepBooked: request.KeepBookedAfterPickUp }
  const shipment = await createShipment(call, { request, from: 'dispatcher', to, stock: false, collectOnly })
  return { shipmentUids: [shipment.shipment_uid] }
}
