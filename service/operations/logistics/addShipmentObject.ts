import { renewDeliveryCode, renewPickUpCode } from '../../lockers/index.ts'
import { addObject, lockActiveShipment, recordChange } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const AddShipmentObject: Handler<'AddShipmentObject'> = async (call, request) => {
  const { shipmentUid, details, changePickUpAccess, changeDropOffAccess } = request
  const shipment = await lockActiveShipment(call, shipmentUid)
  const shipmentObjectUid = await addObject(call, shipment, details)
  await recordChange(call, shipment)
  if (changePickUpAccess === true) await renewPickUpCode(call, shipment)
  if (changeDropOffAccess === true) await renewDeliveryCode(call, shipment)
  return { shipmentUid, shipmentObjectUid }
}
