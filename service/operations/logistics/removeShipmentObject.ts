import { refuseEnded, refuseStrangeObject, removeObject, shipmentToChange, touch } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** Takes an item off a shipment. */
export const RemoveShipmentObject: Handler<'RemoveShipmentObject'> = async (call, request) => {
  const { shipmentUid, shipmentObjectUid } = request
  const shipment = await shipmentToChange(call, shipmentUid)
  await refuseStrangeObject(call, shipment, shipmentObjectUid)
  refuseEnded(shipment)
  await removeObject(call, shipmentObjectUid)
  await touch(call, shipment)
  return { shipmentUid, shipmentObjectUid }
}
