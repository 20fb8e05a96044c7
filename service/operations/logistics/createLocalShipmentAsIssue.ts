import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One issue shipment, from the dispatcher to the user. */
export const CreateLocalShipmentAsIssue: Handler<'CreateLocalShipmentAsIssue'> = async (call, request) => ({
  shipmentUids: [await book(call, { request, fromUserUid: null, toUserUid: request.ToUserUid, stock: false })],
})
