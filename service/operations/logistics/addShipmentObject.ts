import { activeShipment, addObject, renewDeliveryCode, renewPickUpCode, touch } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** Attaches an item, and gives the shipment new codes where that is asked for. */
export const AddShipmentObject: Handler<'AddShipmentObject'> = async (call, request) => {
  const { shipmentUid, details, changePickUpAccess, changeDropOffAccess } = request
  const shipment = await activeShipment(call, shipmentUid)
  const shipmentObjectUid = await addObject(call, shipment, details)
  await touch(call, shipment)
  if (changePickUpAccess === true) await renewPickUpCode(call, shipment)
  if (changeDropOffAccess === true) await renewDeliveryCode(call, shipment)
  return { shipmentUid, shipmentObjectUid }
}
