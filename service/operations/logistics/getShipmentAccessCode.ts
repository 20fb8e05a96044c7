import { requireShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const GetShipmentAccessCode: Handler<'GetShipmentAccessCode'> = async (call, { shipmentUid }) => {
  const shipment = await requireShipment(call, shipmentUid)
  return { shipmentUid, pickUpCode: shipment.pick_up_code, deliveryCode: shipment.delivery_code }
}
