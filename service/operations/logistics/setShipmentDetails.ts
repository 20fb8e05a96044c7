import { activeShipment, touch } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** Overrides references and text; nothing is announced, since the state stays. */
export const SetShipmentDetails: Handler<'SetShipmentDetails'> = async (call, request) => {
  const shipment = await activeShipment(call, request.shipmentUid)
  await touch(call, shipment, {
    reference_no: request.ReferenceNo,
    reference_case_no: request.ReferenceCaseNo,
    description: request.Description,
  })
  return {}
}
