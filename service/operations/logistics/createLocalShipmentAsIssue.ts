import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One issue shipment, from the dispatcher to the user. */
export const CreateLocalShipmentAsIssue: Handler<'CreateLocalShipmentAsIssue'> = async (call, request) => {
  const to = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const issue = await book(call, { request, from: 'dispatcher', to, stock: false })
  return { shipmentUids: [issue.shipment_uid] }
}
