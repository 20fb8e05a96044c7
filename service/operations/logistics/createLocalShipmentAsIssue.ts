import { createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CreateLocalShipmentAsIssue: Handler<'CreateLocalShipmentAsIssue'> = async (call, request) => {
  const to = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const issue = await createShipment(call, { request, from: 'dispatcher', to, stock: false })
  return { shipmentUids: [issue.shipment_uid] }
}
