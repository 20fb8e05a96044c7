import { assertActive, assertOwnObject, lockShipment, recordChange, removeObject } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const RemoveShipmentObject: Handler<'RemoveShipmentObject'> = async (call, request) => {
  const { shipmentUid, shipmentObjectUid } = request
  const shipment = await lockShipment(call, shipmentUid)
  await assertOwnObject(call, shipment, shipmentObjectUid)
  assertActive(shipment)
  await removeObject(call, shipmentObjectUid)
  await recordChange(call, shipment)
  return { shipmentUid, shipmentObjectUid }
}
