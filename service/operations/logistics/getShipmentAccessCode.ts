import { shipmentOf } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** The codes of a shipment; null once it has ended. */
export const GetShipmentAccessCode: Handler<'GetShipmentAccessCode'> = async (call, { shipmentUid }) => {
  const shipment = await shipmentOf(call, shipmentUid)
  return { shipmentUid, pickUpCode: shipment.pick_up_code, deliveryCode: shipment.delivery_code }
}
