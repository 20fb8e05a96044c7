import { lockActiveShipment, updateTexts } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Sends no callback, because the state does not change. */
export const SetShipmentDetails: Handler<'SetShipmentDetails'> = async (call, request) => {
  const shipment = await lockActiveShipment(call, request.shipmentUid)
  await updateTexts(call, shipment, {
    reference_no: request.ReferenceNo,
    reference_case_no: request.ReferenceCaseNo,
    description: request.Description,
  })
  return {}
}
